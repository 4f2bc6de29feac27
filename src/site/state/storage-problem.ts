/**
 * missing: no IndexedDB. blocked: site data are refused. full: the browser's quota is used up. newer: a newer version of the page has
 * made the database. timeout: it does not answer. failed: anything else.
 */
export interface StorageProblem {
  readonly kind: 'missing' | 'blocked' | 'full' | 'newer' | 'timeout' | 'failed'
  /** What the browser said. */
  readonly detail: string
}

/** By the names that the specifications give: DOMExceptions of storage. */
export function storageProblem(thrown: unknown): StorageProblem {
  const name =
    typeof thrown === 'object' && thrown !== null && 'name' in thrown ? String(thrown.name) : typeof thrown
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  const detail = message === '' ? name : `${name}: ${message}`
  if (name === 'QuotaExceededError') return { kind: 'full', detail }
  if (name === 'SecurityError' || name === 'InvalidStateError' || name === 'NotAllowedError')
    return { kind: 'blocked', detail }
  if (name === 'VersionError') return { kind: 'newer', detail }
  if (name === 'TimeoutError') return { kind: 'timeout', detail }
  return { kind: 'failed', detail }
}
