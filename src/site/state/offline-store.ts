/**
 * What of the site is stored in this browser for use offline, and whether there is a newer version.
 * Filled by src/site/offline/page.ts, which is loaded later.
 */
import { createStore } from 'zustand/vanilla'

type OfflinePhase =
  /**
   * Not known yet, or nothing can be stored: no secure context, service workers switched off, a
   * page within another.
   */
  | 'none'
  | 'storing'
  | 'ready'
  /** The browser is set to save data: it waits to be asked for. */
  | 'asks'
  | 'no-room'
  /**
   * The host could not be reached, or sent other files than this build's. Tried again with the
   * network's return and the next visit.
   */
  | 'unreachable'

export interface OfflineState {
  readonly phase: OfflinePhase
  /**
   * Of what every lesson needs to open; what is stored, of that and of the rest; and all that there
   * is to store.
   */
  readonly bytes: number
  readonly storedBytes: number
  readonly allBytes: number
  /** This page is of an older build than the host's. */
  readonly isNewer: boolean
  /** A run of this page is under way, or a file is being read: nothing is stored beside it. */
  readonly isBusy: boolean
}

export type OfflineStore = ReturnType<typeof createOfflineStore>

export function createOfflineStore() {
  let keep: (() => void) | null = null
  return {
    store: createStore<OfflineState>(() => ({
      phase: 'none',
      bytes: 0,
      storedBytes: 0,
      allBytes: 0,
      isNewer: false,
      isBusy: false,
    })),
    /** The visitor asks for all of it. */
    keep: () => keep?.(),
    /** Who answers that; set once it is loaded. */
    onKeep: (listener: () => void) => (keep = listener),
  }
}
