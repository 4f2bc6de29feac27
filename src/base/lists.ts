/** Adds to the list of a key, which begins with its first value. */
export function addTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

/** What a map holds for a key; where it holds nothing, what is made now, and kept in it. */
export function madeOnce<Key, Value>(
  known: { readonly get: (key: Key) => Value | undefined; readonly set: (key: Key, value: Value) => unknown },
  key: Key,
  make: () => Value,
): Value {
  const before = known.get(key)
  if (before !== undefined) return before
  const made = make()
  known.set(key, made)
  return made
}

/** Null for an id that none of these has. */
export function byId<Value extends { readonly id: string }>(
  all: readonly Value[],
): (id: string) => Value | null {
  const found = new Map(all.map((each) => [each.id, each]))
  return (id) => found.get(id) ?? null
}
