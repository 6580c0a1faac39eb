/** --manual without man(1): the text of a page in mdoc, as far as man/ftpull.1 makes use of it. */

const width = 78;
const step = 6;

interface List {
  readonly kind: string;
  readonly isCompact: boolean;
  items: number;
}

export function manualText(page: string): string {
  const text = new PageText();
  for (const line of page.trimEnd().split("\n")) text.take(line);
  return text.end();
}

class PageText {
  readonly #lines: string[] = [];
  readonly #lists: List[] = [];
  #words: string[] = [];
  /** A short mark, which the first line of the item stands behind. */
  #lead: string | undefined;
  #reference: Record<string, string[]> = {};
  #isLiteral = false;

  take(line: string): void {
    const [, name = "", rest = ""] = /^\.([A-Za-z%]+) ?(.*)$/.exec(line) ?? [];
    const layout = this.#layouts[name];
    if (line.startsWith('.\\"')) return;
    if (layout !== undefined) layout(rest);
    else if (this.#isLiteral) this.#lines.push(" ".repeat(this.#indent + step) + unescaped(line));
    else this.#words.push(...(name === "" ? unescaped(line) : inline(line.slice(1))).split(" "));
  }

  end(): string {
    this.#endParagraph();
    return `${this.#lines.join("\n").trim()}\n`;
  }

  get #indent(): number {
    return step * (this.#lists.length + 1);
  }

  /** What the macros do that are more than words of a paragraph. */
  readonly #layouts: Readonly<Record<string, (rest: string) => void>> = {
    Dd: () => {},
    Dt: () => {},
    Os: () => {},
    Sh: (title) => this.#heading(title, 0),
    Ss: (title) => this.#heading(title, step / 2),
    Pp: () => this.#skipLine(),
    Bl: (rest) => {
      this.#endParagraph();
      const [kind = ""] = rest.split(" ");
      this.#lists.push({ kind, isCompact: rest.includes("-compact"), items: 0 });
    },
    It: (head) => this.#item(head),
    El: () => {
      this.#endParagraph();
      this.#lists.pop();
    },
    Bd: () => {
      this.#skipLine();
      this.#isLiteral = true;
    },
    Ed: () => (this.#isLiteral = false),
    Rs: () => (this.#reference = {}),
    "%A": (author) => (this.#reference["A"] ??= []).push(author),
    "%T": (title) => (this.#reference["T"] = [title]),
    "%R": (report) => (this.#reference["R"] = [report]),
    Re: () => {
      const { A = [], T = [], R = [] } = this.#reference;
      const authors = A.join(", ").replace(/, (?=[^,]*$)/, A.length > 2 ? ", and " : " and ");
      this.#words.push(...`${[authors, ...T, ...R].join(", ")}.`.split(" "));
    },
  };

  #heading(title: string, indent: number): void {
    this.#skipLine();
    this.#lines.push(" ".repeat(indent) + title);
  }

  #item(head: string): void {
    const list = this.#lists.at(-1);
    if (list === undefined) return;
    list.items++;
    if (list.isCompact) this.#endParagraph();
    else this.#skipLine();
    const marks: Readonly<Record<string, string>> = { "-bullet": "o", "-enum": `${list.items}.` };
    const mark = marks[list.kind] ?? inline(head);
    const indented = " ".repeat(this.#indent - step) + mark;
    if (mark.length < step) this.#lead = indented.padEnd(this.#indent);
    else this.#lines.push(indented);
  }

  #skipLine(): void {
    this.#endParagraph();
    if (this.#lines.at(-1) !== "") this.#lines.push("");
  }

  #endParagraph(): void {
    const indent = " ".repeat(this.#indent);
    let line = "";
    for (const word of this.#words) {
      if (line !== "" && line.length + word.length >= width) {
        this.#lines.push(line);
        line = "";
      }
      line = line === "" ? (this.#lead ?? indent) + word : `${line} ${word}`;
      this.#lead = undefined;
    }
    if (line !== "") this.#lines.push(line);
    this.#words = [];
  }
}

/** How the macros that stand within a line change their arguments. */
const inlineMacros: Readonly<Record<string, (argument: string) => string>> = {
  Fl: (name) => `-${name}`,
  Ql: (text) => `'${text}'`,
  Ar: (name) => name,
  Cm: (text) => text,
  Pa: (path) => path,
  Li: (text) => text,
  Ev: (name) => name,
  Nm: (name) => name,
};

/** The text of a line of macros: `Fl O , Fl -output-document Ar file`. */
function inline(line: string): string {
  const brackets: Readonly<Record<string, string>> = { Op: "[]", Pq: "()" };
  const [, outer = "", inner = "", end = ""] = /^(Op|Pq) (.*?)(?: ([.,:;]))?$/.exec(line) ?? [];
  const [open = "", close = ""] = brackets[outer] ?? "";
  if (outer !== "") return open + inline(inner) + close + end;
  if (/^Nm\b/.test(line)) return `ftpull${inline(line.replace(/^Nm(?: ftpull)?/, "Ar"))}`.trim();
  if (line.startsWith("Nd ")) return `- ${line.slice(3)}`;
  const xr = /^Xr (\S+) (\d)(.*)$/.exec(line);
  if (xr !== null) return `${xr[1]}(${xr[2]})${xr[3]?.replace(" ", "")}`;
  let macro = (text: string): string => text;
  let text = "";
  for (const [token, quoted] of line.matchAll(/"((?:\\.|[^"\\])*)"|\S+/g)) {
    const isPunctuation = /^[.,:;)]$/.test(token);
    if (token in inlineMacros && quoted === undefined) macro = inlineMacros[token]!;
    else if (isPunctuation) text += token;
    else text += ` ${macro(unescaped(quoted ?? token))}`;
  }
  return text.trim();
}

function unescaped(text: string): string {
  const characters: Readonly<Record<string, string>> = {
    "\\&": "",
    "\\-": "-",
    "\\e": "\\",
    "\\(aq": "'",
    "\\(ga": "`",
    "\\(ti": "~",
    "\\(ha": "^",
  };
  return text.replace(/\\(?:\(..|.)/g, (escape) => characters[escape] ?? escape);
}
