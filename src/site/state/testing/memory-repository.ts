/** A repository in memory, which can be made to refuse. Test code only. */
import type { StorageProblem } from '../browser-database'
import { fail, succeed } from '../../../base/result'
import type { RunRepository } from '../run-repository'

export interface MemoryRepository extends RunRepository {
  readonly labels: Map<string, unknown>
  readonly data: Map<string, unknown>
  /** Everything is refused for this reason. */
  refuse: StorageProblem['kind'] | null
  /** Bytes it has room for. */
  roomBytes: number
}

export function memoryRepository(): MemoryRepository {
  const labels = new Map<string, unknown>()
  const data = new Map<string, unknown>()
  const answer = <T>(give: () => T) =>
    Promise.resolve(
      repository.refuse === null ? succeed(give()) : fail({ kind: repository.refuse, detail: 'by the test' }),
    )
  const used = () =>
    [...data.values()].reduce<number>((sum, each) => sum + (each instanceof Uint8Array ? each.length : 0), 0)
  const repository: MemoryRepository = {
    labels,
    data,
    refuse: null,
    roomBytes: Infinity,
    list: () => answer(() => [...labels].map(([key, value]) => ({ key, value }))),
    bytes: (key) => answer(() => data.get(key)),
    put: (key, value, bytes) =>
      used() + bytes.length > repository.roomBytes
        ? Promise.resolve(fail({ kind: 'full' as const, detail: 'QuotaExceededError' }))
        : answer(() => {
            labels.set(key, structuredClone(value))
            data.set(key, bytes.slice())
          }),
    label: (key, value) => answer(() => labels.set(key, structuredClone(value))),
    remove: (key) =>
      answer(() => {
        labels.delete(key)
        data.delete(key)
      }),
  }
  return repository
}
