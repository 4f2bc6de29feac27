/** The page's half of storing a build: bit by bit, and only while nothing is measured in any tab. */
import type { OfflineState } from '../state/offline-store'
import type { OfflineRequest, OfflineStatus } from './protocol'

/** Bytes that are stored before it is asked again whether something is measured: 1 s of a line of 4 Mbit/s. */
const STEP_BYTES = 500_000

export interface StoringParts {
  /** Null: no answer. */
  readonly ask: (request: OfflineRequest) => Promise<OfflineStatus | null>
  /** Resolves when the page is idle and nothing is measured. */
  readonly quiet: () => Promise<void>
  readonly show: (state: Partial<OfflineState>) => void
}

const shown = ({
  bytes,
  storedBytes,
  onUseBytes,
  onUseStoredBytes,
}: OfflineStatus): Partial<OfflineState> => ({
  bytes,
  storedBytes,
  onUseBytes,
  onUseStoredBytes,
})

/** Until all is stored, or it cannot be. What has been used meanwhile is stored too. */
export async function storeAll({ ask, quiet, show }: StoringParts): Promise<void> {
  let before = -1
  for (;;) {
    await quiet()
    const status = await ask({ kind: 'store', mostBytes: STEP_BYTES })
    if (!status) {
      show({ phase: 'unreachable' })
      return
    }
    const { isWhole, ended, storedBytes, onUseStoredBytes } = status
    const phase = isWhole ? 'ready' : ended === null || ended === 'paused' ? 'storing' : ended
    show({ ...shown(status), phase })
    const sum = storedBytes + onUseStoredBytes
    // Paused: it waits for quiet, and goes on.
    if (ended !== 'paused' && (ended !== null || (isWhole && sum === before))) return
    before = sum
  }
}

/** What a reload for isolation depends on. It is made once a tab: where it does not help, another would not either. */
export interface BeforeReload {
  readonly isIsolated: boolean
  /** A page within another is isolated only where that is. */
  readonly isTop: boolean
  /** A press, a key, a turn of the wheel: what a reload would take away. */
  readonly hadInput: boolean
  readonly wasReloaded: boolean
}
export const mayReload = ({ isIsolated, isTop, hadInput, wasReloaded }: BeforeReload): boolean =>
  !isIsolated && isTop && !hadInput && !wasReloaded
