/**
 * What a build asks for many times, for the site and for the pages that it draws. A development
 * server forgets it when a file changes.
 */
const kept = new Map<string, unknown>()

export function once<Value>(key: string, make: () => Value): Value {
  if (!kept.has(key)) kept.set(key, make())
  return kept.get(key) as Value // only `make` of the same key sets it
}

export const forget = (): void => {
  kept.clear()
}
