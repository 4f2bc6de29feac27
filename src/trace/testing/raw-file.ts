/**
 * Files of the lab's own format as nobody's writer makes them: whatever header, whatever data. Test
 * code only.
 */
import * as v from 'valibot'
import { record } from '../../base/shape'
import { decodeRun } from '../codec'
import { TRACE_VERSION } from '../schema'

const MAGIC = [0x89, 0x48, 0x44, 0x4c, 0x0d, 0x0a, 0x1a, 0x0a]

export function rawFile(head: unknown, data = new Uint8Array()): Uint8Array<ArrayBuffer> {
  const header = new TextEncoder().encode(typeof head === 'string' ? head : JSON.stringify(head))
  const base = Math.ceil((16 + header.length) / 8) * 8
  const bytes = new Uint8Array(base + data.length)
  bytes.set(MAGIC)
  const view = new DataView(bytes.buffer)
  view.setUint32(8, TRACE_VERSION, true)
  view.setUint32(12, header.length, true)
  bytes.set(header, 16)
  bytes.set(data, base)
  return bytes
}

export interface Head {
  header: Record<string, unknown>
  tables: Record<string, { length: number; columns: Record<string, { type: string; offset: number }> }>
}

/** A sound file with its header, or its data, changed. */
export function tampered(
  file: Uint8Array,
  change: (head: Head, data: Uint8Array) => void,
): Uint8Array<ArrayBuffer> {
  const length = new DataView(file.buffer, file.byteOffset).getUint32(12, true)
  const head: unknown = JSON.parse(new TextDecoder().decode(file.subarray(16, 16 + length)))
  if (!v.is(record, head)) throw new Error('this is no file of the lab')
  const data = file.slice(Math.ceil((16 + length) / 8) * 8)
  change(head as unknown as Head, data)
  return rawFile(head, data)
}

/** 'ok', or the code and the sentence. */
export async function outcome(file: Uint8Array): Promise<string> {
  const read = await decodeRun(file)
  return read.ok ? 'ok' : `${read.error.code}: ${read.error.message}`
}
