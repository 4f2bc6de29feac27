/** A chunk crosses between threads without a copy: its columns are moved. */
import type { TraceChunk } from './schema'

/** The buffers behind a chunk's columns, each once. */
export function buffersOf(chunk: TraceChunk): ArrayBuffer[] {
  const columns = [chunk.spans, chunk.instants, chunk.flows, chunk.collectives, ...chunk.counters].flatMap(
    (group) => Object.values(group as unknown as Record<string, unknown>),
  )
  return [...new Set(columns.filter((value) => ArrayBuffer.isView(value)).map((value) => value.buffer))]
    .filter((buffer) => buffer instanceof ArrayBuffer)
    .filter((buffer) => buffer.byteLength > 0)
}
