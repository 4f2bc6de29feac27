/**
 * What makes a file of an older version one of the next. Version 1 had neither roles nor program lines of spans, and a run that did not
 * count could have a verdict. Its roles follow from kinds and from the names that the lab itself gave then; of traces of other tools
 * (they are of no experiment) names say nothing, and nor do they for later versions, whose recorder writes the role. Version 2 had no
 * collectives: kernels of NCCL were told from compute by nobody, and stay what they were. Version 3 had every column in full.
 */
import * as v from 'valibot'
import { record } from '../base/shape'
import type { RawFile } from './file-writer'
import { SPAN_KINDS, SPAN_ROLES, type SpanKind, type SpanRole } from './schema'

/** Makes a file of version n one of version n + 1. Given whatever such a file holds: checks come after the last step. */
export type Migration = (file: RawFile) => RawFile

/** Version 1: names were 'fill staging 0', 'read the mapped range', 'matmul 256³ × 4 on the processor', 'await mapAsync(): readback', … */
export function roleOfVersion1(kind: SpanKind | undefined, name: string): SpanRole {
  switch (kind) {
    case 'encode':
    case 'submit':
      return kind
    case 'compute':
      return 'pass'
    case 'transfer':
      return 'copy'
    case 'host-wait':
      if (name.includes('mapAsync')) return name.includes('staging') ? 'wait-staging' : 'wait-map'
      return name.includes('onSubmittedWorkDone') ? 'wait-done' : 'none'
    case 'host-work':
      if (name.startsWith('fill staging')) return 'fill'
      if (name === 'read the mapped range') return 'read'
      return name.endsWith(' on the processor') ? 'compute' : 'none'
    default:
      return 'none'
  }
}

/** A trace of the lab's own recorder; a trace read from another tool's file is of no experiment. */
export const isOfExperiment = (info: unknown): boolean => v.is(record, info) && info['experiment'] !== ''

/** Throws where there are no spans with kinds and names. */
const from1: Migration = ({ header, tables }) => {
  const { spans } = tables
  const { kind, name } = spans?.columns ?? {}
  if (!spans || !kind || !name) throw new Error('a file of version 1 has spans with kinds and names')
  const strings = Array.isArray(header['strings']) ? (header['strings'] as readonly unknown[]) : []
  const role = new Uint8Array(spans.length)
  if (isOfExperiment(header['info']))
    for (let row = 0; row < spans.length; row += 1) {
      const text = strings[name[row] ?? -1]
      role[row] = SPAN_ROLES.indexOf(
        roleOfVersion1(SPAN_KINDS[kind[row] ?? -1], typeof text === 'string' ? text : ''),
      )
    }
  const line = new Int32Array(spans.length).fill(-1)
  return {
    header: { ...header, report: withoutFalseVerdict(header['report']) },
    tables: { ...tables, spans: { ...spans, columns: { ...spans.columns, role, line } } },
  }
}

const uncounted = v.object({ validity: v.object({ valid: v.literal(false) }), verdict: record })

/** A run that does not count has no verdict but 'invalid'; the words that it was saved with are quoted. */
function withoutFalseVerdict(report: unknown): unknown {
  if (!v.is(uncounted, report)) return report
  const { verdict } = report
  const text = `This run does not count, so there is no verdict. It was saved with the words: ${String(verdict['text'])}`
  return { ...report, verdict: { ...verdict, outcome: 'invalid', text } }
}

/** The next has kinds, an arrow and a table more, and may go without each. */
const from2: Migration = (file) => file

/** Which columns are differences is written beside each, and undone before any migration. */
const from3: Migration = (file) => file

/** By the version they start from. Version 1 is the first. */
export const MIGRATIONS: ReadonlyMap<number, Migration> = new Map([
  [1, from1],
  [2, from2],
  [3, from3],
])
