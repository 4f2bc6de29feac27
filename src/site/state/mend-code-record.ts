/** A learner's program as it lies in storage: one record a lesson, versioned, and checked when read back. */
import { isRecord } from '../../base/is-record'
import { fnv1a } from '../../base/fnv'
import type { Saved } from './storage'

export const RECORD_VERSION = 1
/** Of a text in UTF-8, in bytes. Programs of mends are about 3 KB; all storage of an origin is about 5 MB. */
const MAX_TEXT_BYTES = 64 * 1024

export interface Version {
  readonly text: string
  /** ISO 8601. */
  readonly savedAt: string
}

export interface CodeRecord extends Version {
  /** Of the start that the text was begun from. */
  readonly startHash: string
  /** Which write this was, unlike that of any other tab. */
  readonly stamp: string
  /** Given up by a reset, and restorable. */
  readonly discarded?: Version
  /** Written by another tab and not yet answered. */
  readonly elsewhere?: Version
}

export const recordKey = (lesson: string): string => `host-device-lab:mend:${lesson}`

/** Tells the starts of two builds apart. */
export const hashText = (text: string): string => fnv1a(text).toString(16).padStart(8, '0')

export function fitsRecord(text: string): boolean {
  if (text.length > MAX_TEXT_BYTES) return false
  // A UTF-16 code unit is at most three bytes of UTF-8: most texts need not be encoded to know.
  return text.length * 3 <= MAX_TEXT_BYTES || new TextEncoder().encode(text).length <= MAX_TEXT_BYTES
}

function readVersion(raw: unknown): Version | null {
  if (!isRecord(raw)) return null
  const { text, savedAt } = raw
  return typeof text === 'string' && typeof savedAt === 'string' && fitsRecord(text)
    ? { text, savedAt }
    : null
}

/** null: nothing kept, or nothing legible. 'newer': written by a newer version, to be left as it is. */
export function readCodeRecord(saved: Saved | null): CodeRecord | 'newer' | null {
  if (!saved) return null
  if (saved.version > RECORD_VERSION) return 'newer'
  const version = readVersion(saved.data)
  if (!version || !isRecord(saved.data)) return null
  const { startHash, stamp } = saved.data
  if (typeof startHash !== 'string' || typeof stamp !== 'string') return null
  const discarded = readVersion(saved.data['discarded'])
  const elsewhere = readVersion(saved.data['elsewhere'])
  return {
    ...version,
    startHash,
    stamp,
    ...(discarded ? { discarded } : {}),
    ...(elsewhere ? { elsewhere } : {}),
  }
}
