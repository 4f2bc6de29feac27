/** What a page asks of the service worker, over a port of its own. Another version may answer: what it does not know it leaves unanswered. */

export type OfflineRequest =
  /** To one that waits although it asked not to: Chromium forgets that at times where the one before it was at work. */
  | { readonly kind: 'take-over' }
  | { readonly kind: 'status' }
  /** Stores the next files, up to about so many bytes. The page asks again when it may: the service worker does nothing by itself. */
  | { readonly kind: 'store'; readonly mostBytes: number }
  /** Ends what is being stored. */
  | { readonly kind: 'pause' }
  /** Deletes builds that no tab is of, once this one is whole. */
  | { readonly kind: 'tidy' }

export interface OfflineStatus {
  /** Of the service worker: the newest that this browser knows. */
  readonly build: string
  /** All files but those stored on use. */
  readonly isWhole: boolean
  readonly bytes: number
  readonly storedBytes: number
  /** Of those stored on use, and how much is. */
  readonly onUseBytes: number
  readonly onUseStoredBytes: number
  /** Why the last request stored less than it was asked for: the host did not send what the build holds, no room, told to end. */
  readonly ended: 'unreachable' | 'no-room' | 'paused' | null
}

/** Held by each page as long as it lives, for the build that it is of, in mode 'shared': that build's files are kept until then. */
const LOCK = 'host-device-lab:build:'
export const buildLock = (build: string): string => LOCK + build
/** Builds that a tab is of. One that waits for its lock counts too: it stands behind one that waits for the last tab of its build to go. */
export const buildsIn = ({ held = [], pending = [] }: LockManagerSnapshot): ReadonlySet<string> =>
  new Set(
    [...held, ...pending].flatMap(({ name = '', mode }) =>
      mode === 'shared' && name.startsWith(LOCK) ? [name.slice(LOCK.length)] : [],
    ),
  )
