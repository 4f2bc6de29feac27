/** What a page asks of the service worker, over a port of its own, and what the build says to both. */

export type OfflineRequest =
  | { readonly kind: 'status' }
  /** Stores the next few files. The page asks again when it may: the service worker stores nothing by itself. */
  | {
      readonly kind: 'store'
      /** Of the page: files of another build than the service worker's are not stored. */
      readonly build: string
      /** Addresses from the site's root of what has been used, among them files that are stored on use. */
      readonly used: readonly string[] | 'all'
    }
  /** Ends what is being stored: a run begins. */
  | { readonly kind: 'pause' }

export interface OfflineStatus {
  /** Of the service worker. */
  readonly build: string
  /** 'ready': all files that are stored at first are, and every page opens without a network. */
  readonly phase: 'storing' | 'ready' | 'no-room' | 'unreachable'
  /** Nothing is left to store, or it cannot be now. Else the page asks again. */
  readonly isDone: boolean
  readonly bytes: number
  readonly storedBytes: number
  readonly onUseBytes: number
  readonly onUseStoredBytes: number
}

/** `integrity`: 'sha256-…'; what a host sends in a file's place is not stored (https://w3c.github.io/webappsec-subresource-integrity/). */
export type StoredFiles = Readonly<Record<string, { readonly bytes: number; readonly integrity: string }>>

/** What the service worker is built with (vite/write-offline.ts). */
export interface Build {
  /** 16 hexadecimal digits, of what all files hold. */
  readonly id: string
  /** The one page that stands in for all without a network: it draws whatever its address asks for. */
  readonly shell: string
  /** By the address from the site's root, which changes with the content. */
  readonly first: StoredFiles
  readonly onUse: StoredFiles
  /** The policy of a worker's script: it has no other than its response's (vite/policy.ts). By its address. */
  readonly workerPolicies: Readonly<Record<string, string>>
}

export const SERVICE_WORKER = 'sw.js'
/** `<meta name="build" content="ID">` of a page; empty where the site has no service worker. */
export const BUILD_TAG = 'build'
/** In the shell, where each service worker puts the root of its site. */
export const RELATIVE_BASE = '<base href="./" />'
