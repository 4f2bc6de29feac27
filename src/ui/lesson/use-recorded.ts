/** The files of PyTorch that a lesson quotes, read once a visit. A file that cannot be had is left out, and what quotes it with it. */
import { useEffect, useMemo, useState } from 'react'
import { recordings } from 'virtual:recordings'
import type { Asked, ExperimentLesson } from '../../lessons/lesson'
import {
  isJson,
  type Json,
  type Recorded,
  type RecordedOrigin,
  type RecordedSide,
} from '../../lessons/recorded'
import { inBackground } from '../../state/in-background'
import { formatDate, formatFigures, formatQuantity, formatShare, withUnit } from '../format'
import type { Profile } from '../../state/profile'
import { recordingAddress } from '../recording-address'

type Read = { readonly profile: Profile } | { readonly json: Json }
export type ReadFiles = ReadonlyMap<string, Read | null>

async function readFile(file: string): Promise<Read | null> {
  if (!recordings.includes(file)) return null // not recorded so far
  try {
    if (!file.endsWith('.json')) {
      const { loadProfile } = await import('./cuda-loading')
      const loaded = await loadProfile({ file })
      return 'profile' in loaded ? loaded : null
    }
    const response = await fetch(recordingAddress(file))
    const json: unknown = response.ok ? await response.json() : null
    return isJson(json) ? { json } : null
  } catch {
    return null // not served, or no JSON
  }
}

const files = new Map<string, Promise<Read | null>>()
const readOnce = async (file: string): Promise<Read | null> => {
  const reading = files.get(file) ?? readFile(file)
  files.set(file, reading)
  const read = await reading
  if (read === null) files.delete(file) // the next visit tries again
  return read
}

function say(value: number, unit: Parameters<Recorded['say']>[1]): string {
  if (unit === '×') return withUnit(formatFigures(value), '×')
  if (unit === 'ratio') return formatShare(value)
  // A size between two that were run: more than two figures would be made up.
  return unit === 'count' ? formatFigures(value, 2) : formatQuantity(value, unit)
}

export const recordedOf = (read: ReadFiles): Recorded => ({
  profile: (file) => {
    const found = read.get(file)
    return found && 'profile' in found ? found.profile.figures : null
  },
  json: (file) => {
    const found = read.get(file)
    return found && 'json' in found ? found.json : null
  },
  say,
})

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

/** 'NVIDIA H200, November 22, 2026'; '' where the file says neither. */
export function originInWords(read: Read | null | undefined): string {
  if (!read) return ''
  const { device, date }: Pick<RecordedOrigin, 'device' | 'date'> =
    'profile' in read
      ? read.profile.origin
      : { device: textIn(read.json['device']), date: textIn(read.json['date']) }
  return [device, date === '' ? '' : formatDate(date)].filter((part) => part !== '').join(', ')
}

const NO_FILES: readonly string[] = []

/** Null until every file was read or given up. */
export function useRecorded(side: RecordedSide | undefined): ReadFiles | null {
  const [read, setRead] = useState<ReadFiles | null>(null)
  const wanted = side?.files ?? NO_FILES
  useEffect(() => {
    let isWanted = true
    const load = async () => {
      const all = await Promise.all(wanted.map(async (file) => [file, await readOnce(file)] as const))
      if (isWanted) setRead(new Map(all))
    }
    if (wanted.length > 0) inBackground(load())
    return () => {
      isWanted = false
    }
  }, [wanted])
  return read
}

/** PyTorch's figure beside the lesson's number. */
export interface Twin {
  /** '88 %'. */
  readonly text: string
  /** On the slider's scale; null where it is a figure of another kind. */
  readonly onScale: number | null
  readonly words: string
  readonly origin: string
}

function twinOf(
  { recorded: side }: ExperimentLesson,
  { metric, scale }: Asked,
  read: ReadFiles,
): Twin | null {
  const headline = side?.headlines.find((each) => each.metric === metric.name)
  const figure = headline?.figure(recordedOf(read)) ?? null
  if (!headline || !figure) return null
  return {
    text: say(figure.value, figure.unit),
    onScale: headline.sameScale ? figure.value * scale : null,
    words: figure.words,
    origin: originInWords(read.get(headline.file)),
  }
}

export function useTwin(lesson: ExperimentLesson, asked: Asked): Twin | null {
  const read = useRecorded(lesson.recorded)
  return useMemo(() => read && twinOf(lesson, asked, read), [lesson, asked, read])
}
