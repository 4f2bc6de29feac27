/** localStorage for tests: working, blocked (every access throws), or full (writing throws). */
export function memoryStorage(kind: 'works' | 'blocked' | 'full' = 'works') {
  const items = new Map<string, string>()
  const storage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (kind === 'full') throw new DOMException('full', 'QuotaExceededError')
      items.set(key, value)
    },
    removeItem: (key: string) => {
      items.delete(key)
    },
  }
  const open = () => {
    if (kind === 'blocked') throw new DOMException('blocked', 'SecurityError')
    return storage
  }
  return { items, open }
}
