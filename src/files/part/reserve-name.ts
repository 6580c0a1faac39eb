/** The right to write a document's name, and names beside it. */
import { cannotWrite, writing } from "../file-error.ts";
import { descriptorOf, followLinks } from "../links.ts";
import { found, isTaken } from "../regular-file.ts";
import { PartFolder } from "./part-folder.ts";
import { type Collision, firstNumbered, publish } from "./publish.ts";

/**
 * Reserves a document's name: by "number" the first of `path`, `path.1` ... that
 * neither exists nor is being written, else `path`. There, as with wget and curl, a symbolic link
 * stays, and its target is replaced.
 */
export function reserveName(path: string, collision: Collision): PartFolder {
  if (collision === "number")
    return firstNumbered(path, (name) => {
      const reserved = isTaken(name) ? undefined : PartFolder.reserve(name);
      return typeof reserved === "string" ? undefined : reserved;
    });
  const target = followLinks(path);
  if (!isReplaceable(target)) throw special(target);
  if (collision === "fail" && isTaken(target)) throw alreadyThere(path);
  const reserved = PartFolder.reserve(target);
  if (typeof reserved === "string") throw cannotWrite(path, `${reserved} is writing it`);
  return reserved;
}

/** Another program has taken the name meanwhile: the next one that is free gets the document. */
export function publishNumbered(data: string, path: string): string {
  const next = reserveName(path, "number");
  try {
    const published = writing(next.path, () => publish(data, next.path, "number"));
    return published ?? publishNumbered(data, path);
  } finally {
    next.remove();
  }
}

export function alreadyThere(path: string): Error {
  return cannotWrite(path, "it is there already");
}

/** Whether a file can be put at a path that is no link: nothing is there, or a regular file. */
export function isReplaceable(path: string): boolean {
  const present = found(path);
  return present === undefined || (present.isFile() && descriptorOf(path) === undefined);
}

function special(path: string): Error {
  const isDirectory = found(path)?.isDirectory() === true;
  return cannotWrite(path, isDirectory ? "it is a directory" : "it is not a regular file");
}
