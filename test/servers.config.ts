/** Every server that there is: what each can. Not part of `npm test`, since it downloads them. */
import { defineConfig } from "vitest/config";
import base from "./vitest.config.ts";

const { exclude: _all, ...common } = base.test ?? {};

export default defineConfig({ test: { ...common, include: ["test/servers/**/*.test.ts"] } });
