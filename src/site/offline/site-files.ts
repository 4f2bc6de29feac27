/**
 * Which files of a built site are stored for use without a network, and when. Pure: build, page and
 * service worker read it.
 */

export interface StoredFile {
  /** From the site's root, as the page asks for it: 'assets/X.js', 'recordings/X.gz?v=1a2b'. */
  readonly url: string
  readonly bytes: number
  /**
   * 'sha256-…': what a host sends in its place is not stored
   * (https://w3c.github.io/webappsec-subresource-integrity/).
   */
  readonly integrity: string
}

/** What the service worker is built with. */
export interface Build {
  /**
   * 16 hexadecimal digits, of what all files hold; '' for the one that removes itself and all that
   * was stored.
   */
  readonly id: string
  /**
   * The policy of a worker's script: it has no other than its response's (vite/policy.ts). By its
   * address.
   */
  readonly workerPolicies: Readonly<Record<string, string>>
}

/** From the service worker to pages. */
export interface Message {
  /** The build of the newest service worker, which has just taken over or was asked for it. */
  readonly build?: string
  /** The whole address of a file stored on use that was used. */
  readonly used?: string
}

export const SERVICE_WORKER = 'sw.js'
/** `<meta name="build" content="ID">` of a page; empty where the site has no service worker. */
export const BUILD_TAG = 'build'
/**
 * Stands for every page without a network: the scripts draw the one that the address names. Stored
 * last of a build: with it the build is whole.
 */
export const SHELL = 'offline.html'
export const manifestOf = (build: string): string => `assets/offline-${build}.json`
/**
 * Caches belong to an origin: other sites may lie beside this one, and other copies of it. A
 * build's cache and lock are named by this and its id.
 */
export const cachePrefix = (root: string): string => `host-device-lab ${new URL(root).pathname} `

const STORED =
  /^(offline\.html|icon\.svg|licences\.txt|recorder\.(js|d\.ts)|(assets|companion|recordings|thumbnails)\/.+)$/
/**
 * For developers, for the build, and the ways to and from other sites, which are no use without a
 * network.
 */
const LEFT_OUT =
  /README\.md$|\.map$|^recordings\/profiles\/profiles\.json$|^assets\/offline-[^.]+\.json$|^assets\/(open|perfetto)-[^.]{8}\./
const ON_USE =
  /^(recordings|companion)\/|^(licences|recorder)\.|\.wasm$|^assets\/(CodeEditor|LoopChecker|dist|syntax|choices|onnx-matmul|(beside|export|(model-)?exercise)-worker)-|\.(beside|(model-)?exercise)-worker\.js$/

/**
 * Stored once it was used, or with 'Keep all': no lesson needs it to open.
 * @param url as in `StoredFile`
 */
export const isOnUse = (url: string): boolean => ON_USE.test(url)

/**
 * @param path of a file in the built site, with forward slashes
 * @param recordings the version of all of them, which the page adds to their addresses
 * @returns its address; null: it is not stored
 */
export const addressOfFile = (path: string, recordings: string): string | null =>
  !STORED.test(path) || LEFT_OUT.test(path)
    ? null
    : path.startsWith('recordings/')
      ? `${path}?v=${recordings}`
      : path
