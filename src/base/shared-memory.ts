/**
 * Columns that the threads of a page share: of 10^7 spans each is 80 MB, and a copy for every
 * thread would be most of what the page holds. Only a cross-origin isolated page may share memory;
 * elsewhere the same columns lie in memory of their thread alone.
 */
type Numbers = Float64Array | Int32Array | Uint32Array | Uint16Array | Uint8Array

/** Undefined in Node. Asked for each time: tests change it. */
export const sharesMemory = (): boolean => (globalThis.crossOriginIsolated as boolean | undefined) === true

export const allocate = (bytes: number): ArrayBufferLike =>
  sharesMemory() ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes)

/** `SharedArrayBuffer` has no name where memory can't be shared. */
const isOwn = ({ buffer }: Numbers): boolean => buffer instanceof ArrayBuffer

/** Returns the column itself if threads share it, else a copy, in shared memory if there is any. */
export function shareable<Column extends Numbers>(column: Column): Column {
  if (!isOwn(column)) return column
  const bytes = new Uint8Array(allocate(column.byteLength))
  bytes.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength))
  const Class = column.constructor as new (buffer: ArrayBufferLike) => Column // its own class
  return new Class(bytes.buffer)
}

/** Buffers that postMessage has to move: those of shared columns need no moving. */
export const buffersToMove = (columns: readonly Numbers[]): ArrayBuffer[] => [
  ...new Set(columns.flatMap(({ buffer }) => (buffer instanceof ArrayBuffer ? [buffer] : []))),
]
