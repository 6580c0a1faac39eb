/** Finds the commands of a program in lines of shell, such as examples in a manual; leaves out comments. */

export function commandsIn(script: string, program: string): string[][] {
  return script
    .split(/\n/)
    .map((line) => line.replace(/^(?:until|timeout \d+|[\d* ]+ flock -n \S+) /, ""))
    .flatMap(simpleCommands)
    .filter(([name]) => name === program)
    .map(([, ...args]) => args);
}

const token = /\s*(?:#.*$|([|;&<>()]+)|((?:'[^']*'|"[^"]*"|[^\s'"|;&<>()])+))/gy;

function simpleCommands(line: string): string[][] {
  const commands: string[][] = [[]];
  for (const [, operator, word] of line.matchAll(token)) {
    if (operator !== undefined) commands.push([]);
    if (word !== undefined) commands.at(-1)?.push(word.replace(/'([^']*)'|"([^"]*)"/g, "$1$2"));
  }
  return commands;
}
