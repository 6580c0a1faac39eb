/** How the segments of a path become CWDs. */

export const ways: [claim: string, path: string, options: string[], commands: readonly string[]][] =
  [
    ["P1 each cwd, in order, is one CWD", "/a/b/c/x", [], ["PWD", "CWD a", "CWD b", "CWD c"]],
    ["P2 a null cwd sends nothing", "//a//x", [], ["PWD", "CWD a"]],
    ["P2 --null-cwd sends empty ones", "//a//x", ["--null-cwd"], ["PWD", "CWD ", "CWD a", "CWD "]],
    ["P11 a path starts at the login directory", "/etc/x", [], ["PWD", "CWD etc"]],
    ["P11 %2F starts at the root", "/%2Fetc/x", [], ["PWD", "CWD /etc"]],
    ["P11 %2F alone, too", "/%2F/etc/x", [], ["PWD", "CWD /", "CWD etc"]],
    ["P11 --root starts at the root", "/etc/x", ["--root"], ["PWD", "CWD /", "CWD etc"]],
    ["P11 --root reads /~ as the login directory", "/~/x", ["--root"], ["PWD", "CWD ."]],
    [
      "P11 --root reads /. as the login directory",
      "/./etc/x",
      ["--root"],
      ["PWD", "CWD .", "CWD etc"],
    ],
  ];
