/** Tests that need packages of the system: real servers, what each can, shells and formatters of manuals. */
import { defineConfig } from "vitest/config";
import base from "./vitest.config.ts";

const { exclude: _all, ...common } = base.test ?? {};

export default defineConfig({
  test: { ...common, include: ["test/{servers,real,system}/**/*.test.ts"] },
});
