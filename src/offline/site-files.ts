/** Which files of a built site are stored for use without a network, by what address, and when. Pure; the build makes its lists with it (vite/write-offline.ts). */

/** Stored at first, gzipped: the build fails above it. */
export const MOST_FIRST_BYTES = 1_500_000

/** Not of a page, or of the way out to Perfetto, which is no use without a network. */
const LEFT_OUT = /\.map$|^assets\/perfetto-|README\.md$|^recordings\/profiles\/profiles\.json$/

/** Large, and of one experiment or one screen: stored once used. The build fails where one matches nothing. */
export const ON_USE: readonly RegExp[] = [
  /^recordings\//,
  /\.wasm$/,
  /^assets\/onnx-matmul-/,
  /^assets\/CodeEditor-/,
  /^assets\/mend-worker-/,
]
/** Named by the pages, but for what is on use. */
const FIRST = /^(assets\/|thumbnails\/|companion\/|icon\.svg$|licences\.txt$)/

/**
 * Changed with the content, so that no build is given another's.
 * @param path of a file in the built site, with forward slashes
 * @param recordings the version of all of them, which the page adds to their addresses
 * @param id of the build; pages ask for what has a fixed name without it
 * @returns null: it is not stored
 */
export function storedAs(
  path: string,
  recordings: string,
  id: string,
): { readonly url: string; readonly isOnUse: boolean } | null {
  const isOnUse = ON_USE.some((pattern) => pattern.test(path))
  if (LEFT_OUT.test(path) || (!isOnUse && !FIRST.test(path))) return null
  const version = path.startsWith('assets/')
    ? ''
    : path.startsWith('recordings/')
      ? `?v=${recordings}`
      : `?b=${id}`
  return { url: path + version, isOnUse }
}
