import { inspect } from "node:util";

/**
 * A value that must not be printed: client secret, token, Authorization value, password. Every ordinary conversion to
 * text gives "[secret]"; `reveal()` is the only access, and easy to search for.
 */
export class Secret {
  readonly #value: string;
  constructor(value: string) {
    this.#value = value;
  }
  reveal(): string {
    return this.#value;
  }
  /** Length in UTF-16 units; not secret. */
  get length(): number {
    return this.#value.length;
  }
  toString(): string {
    return "[secret]";
  }
  toJSON(): string {
    return "[secret]";
  }
  [Symbol.toPrimitive](): string {
    return "[secret]";
  }
  [inspect.custom](): string {
    return "[secret]";
  }
}
