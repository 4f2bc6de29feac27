/**
 * Which files of a built site are stored for use offline, and by what address. Pure: the build writes the list with it (vite/write-offline.ts),
 * the service worker reads it.
 */

export interface StoredFile {
  /** From the site's root, as the page asks for it: '' (the home page), 'lessons/ID/', 'assets/X.js', 'recordings/X.gz?v=1a2b'. */
  readonly url: string
  readonly bytes: number
  /** 'sha256-…': what a host sends in its place is not stored (https://w3c.github.io/webappsec-subresource-integrity/). */
  readonly integrity: string
  /** Stored once it was used: large and asked for by one experiment, or a profile of 'Find the line'. */
  readonly onUse?: true
}

/** A build whole: what a tab of it may ask for. */
export interface SiteFiles {
  /** 16 hexadecimal digits, of what all files hold. */
  readonly id: string
  readonly files: readonly StoredFile[]
}

/** What the service worker is built with. */
export interface Build {
  readonly id: string
  /** Address of its `SiteFiles`. */
  readonly list: string
  readonly integrity: string
  /** The policy of a worker's script: it has no other than its response's (vite/policy.ts). By its address. */
  readonly workerPolicies: Readonly<Record<string, string>>
}

export const SERVICE_WORKER = 'sw.js'
/** `<meta name="build" content="ID">` of a page; empty where the site has no service worker. */
export const BUILD_TAG = 'build'

/**
 * Not stored: what only hosts, search engines and other sites read; what is for developers; the way out to Perfetto, which is no use without a
 * network; the service worker itself, which the browser keeps.
 */
const LEFT_OUT: readonly RegExp[] = [
  /^_/, // _headers
  /^(sw\.js|build\.json|sitemap\.xml|robots\.txt|llms\.txt|screenshot\.png|perfetto\.html)$/,
  /^previews?[./-]/,
  /(^|\/)README\.md$/,
  /^recordings\/profiles\/profiles\.json$/, // read by the build
  /\.map$/,
  /^assets\/(offline|perfetto)-/,
]
/** Large, or one of many of which a visitor meets one a day. */
const isForOnUse = (path: string): boolean =>
  path.endsWith('.wasm') || path.startsWith('recordings/profiles/')

/** By a content's name: the address changes with the bytes. */
const isRecording = (path: string): boolean => path.startsWith('recordings/')

/**
 * @param path of a file in the built site, with forward slashes
 * @param recordings the version of all of them, which the page adds to their addresses
 * @returns null: it is not stored
 */
export function addressOfFile(path: string, recordings: string): Pick<StoredFile, 'url' | 'onUse'> | null {
  if (LEFT_OUT.some((pattern) => pattern.test(path))) return null
  const url = isRecording(path) ? `${path}?v=${recordings}` : path.replace(/(^|\/)index\.html$/, '$1')
  return isForOnUse(path) ? { url, onUse: true } : { url }
}

export const bytesOf = (files: readonly StoredFile[]): number =>
  files.reduce((sum, { bytes }) => sum + bytes, 0)
export const atOnce = (files: readonly StoredFile[]): readonly StoredFile[] =>
  files.filter(({ onUse }) => !onUse)
