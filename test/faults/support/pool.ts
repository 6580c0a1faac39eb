/** Several runs at once: most of their time is waiting. */

/** Calls `work` for each item, for at most `width` at a time; the results are in the items' order. */
export async function inPool<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results = new Map<number, R>();
  const entries = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of entries) results.set(index, await work(item));
  };
  await Promise.all(Array.from({ length: width }, worker));
  return items.map((_, index) => results.get(index)!);
}
