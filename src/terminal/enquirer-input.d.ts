/** The members of enquirer's text prompt in use, which its own types lack. */
declare module "enquirer/lib/prompts/input.js" {
  import type { EventEmitter } from "node:events";

  export default class Input extends EventEmitter {
    constructor(options: object);
    readonly state: { input: string; cursor: number; readonly submitted: boolean };
    cancel: () => void;
    run(): Promise<string>;
    render(): Promise<void>;
    reset(): Promise<void>;
  }
}
