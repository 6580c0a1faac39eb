/** enquirer's prompts by their files, and the members in use, which its own types lack. */
declare module "enquirer/lib/prompts/input.js" {
  import type { EventEmitter } from "node:events";

  export default class Input extends EventEmitter {
    constructor(options: object);
    readonly state: { readonly input: string; readonly submitted: boolean };
    run(): Promise<string>;
    render(): Promise<void>;
  }
}

declare module "enquirer/lib/prompts/invisible.js" {
  export { default } from "enquirer/lib/prompts/input.js";
}
