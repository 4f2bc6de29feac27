/**
 * What `lab analyze --json` prints, as valibot schemas: the types of lab-analyze.ts and the JSON Schema of `lab schema analyze` come from
 * here. Objects are strict. A field that is renamed, goes, or changes its type or meaning takes the number after @ up by one; so does a
 * new one, since a strict reader refuses it.
 */
import * as v from 'valibot'
import { EXCUSES, FAULTS } from '../src/analysis/faults'
import { PATH_OWNERS, type PathOwner } from '../src/analysis/types'
import { GAP_CAUSES } from '../src/trace/gaps'
import { count, list, maybe, number, text, whole } from './shape-parts'

export const ANALYSIS_SCHEMA = 'host-device-lab/analysis@1'
export const RANKS_SCHEMA = 'host-device-lab/ranks-analysis@1'

/** Of a critical path of a whole trace, in the order of the table. */
export const PATH_PARTS = [
  'device',
  'host',
  'launch',
  'stream',
  'notice',
  'message',
] as const satisfies readonly PathOwner[]

const coverage = v.nullable(v.strictObject({ launches: count, withoutRecord: count, ratio: number }))

const device = v.strictObject({
  id: text,
  name: text,
  lanes: list(text),
  spans: count,
  busyUs: number,
  spanUs: number,
  unrecordedUs: number,
  busyRatio: maybe,
  workUs: number,
  workRatio: maybe,
  collectiveUs: number,
  collectives: list(v.strictObject({ operation: text, count, bytes: v.nullable(count), us: number })),
  axis: v.pipe(v.picklist(['host', 'device']), v.description('Whose clock the times of the gaps are on.')),
  gaps: list(
    v.strictObject({ beginUs: number, endUs: number, cause: v.picklist(GAP_CAUSES), evidence: text }),
  ),
  coverage,
  copies: list(
    v.strictObject({ kind: text, count, bytes: v.nullable(count), busyUs: number, gbPerS: maybe }),
  ),
  totals: v.pipe(
    v.strictObject(v.entriesFromList(GAP_CAUSES, v.exactOptional(v.strictObject({ count, us: number })))),
    v.description('Of the causes that occur.'),
  ),
})

const lesson = v.pipe(
  v.nullable(text),
  v.description('Id of the lesson that mends it; null where there is none.'),
)

const finding = v.strictObject({
  fault: v.picklist(FAULTS),
  us: number,
  share: v.pipe(number, v.description('Of recordedUs, 0 to 1.')),
  idleShare: v.pipe(maybe, v.description('Of all idle time; null where what it costs is not idle time.')),
  count,
  medianUs: number,
  longestUs: number,
  example: v.variant('type', [
    v.strictObject({
      type: v.literal('gap'),
      gap: v.pipe(count, v.description('Index into the gaps of the device.')),
    }),
    v.strictObject({ type: v.literal('span'), span: count }),
  ]),
  title: text,
  sentence: text,
  evidence: text,
  mend: text,
  source: v.nullable(
    v.strictObject({ file: text, line: whole, name: text, method: v.nullable(text), share: number }),
  ),
  lesson,
})

const diagnosis = v.strictObject({
  device: v.pipe(text, v.description('The id in devices.')),
  verdict: v.picklist(['faults', 'well-fed', 'excused', 'unexplained', 'no-work', 'lab-run', 'partial']),
  sentence: text,
  note: text,
  busyRatio: maybe,
  spanUs: number,
  recordedUs: number,
  coverage,
  parts: v.strictObject({
    workUs: number,
    copyUs: number,
    waitUs: number,
    collectiveUs: number,
    idleUs: number,
    unrecordedUs: number,
  }),
  findings: list(finding),
  minor: list(finding),
  excused: list(v.strictObject({ excuse: v.picklist(EXCUSES), us: number, share: number })),
  lesson,
})

/** Of one file. */
export const analysisShape = v.pipe(
  v.strictObject({
    schema: v.literal(ANALYSIS_SCHEMA),
    file: text,
    format: v.picklist(['host-device-lab', 'trace-event', 'torch-profiler']),
    spans: count,
    coverage,
    skipped: list(
      v.strictObject({ reason: text, count: v.nullable(count), firstEvent: whole, firstByte: whole }),
    ),
    notes: list(text),
    diagnoses: list(diagnosis),
    devices: list(device),
    criticalPath: v.nullable(
      v.strictObject({
        beginUs: number,
        endUs: number,
        pieces: list(v.strictObject({ part: v.picklist(PATH_OWNERS), beginUs: number, endUs: number })),
        us: v.strictObject(v.entriesFromList(PATH_PARTS, number)),
      }),
    ),
  }),
  v.description('One file. Times in µs.'),
)
export type AnalysisJson = v.InferOutput<typeof analysisShape>

const late = v.strictObject({
  rank: count,
  steps: v.nullable(list(whole)),
  medianUs: maybe,
  totalUs: number,
  cause: v.picklist([...GAP_CAUSES, 'more-work']),
})

/** Of several ranks of one run. */
export const ranksShape = v.pipe(
  v.strictObject({
    schema: v.literal(RANKS_SCHEMA),
    ranks: list(
      v.strictObject({
        rank: count,
        file: text,
        device: v.nullable(text),
        busyRatio: maybe,
        workRatio: maybe,
        waitedUs: maybe,
      }),
    ),
    late: v.nullable(late),
    lateEvidence: v.nullable(text),
    alignment: list(
      v.strictObject({
        rank: count,
        use: v.picklist(['reference', 'file', 'aligned', 'none']),
        offsetUs: number,
        driftPpm: number,
        boundUs: maybe,
        used: count,
        rejected: count,
      }),
    ),
    collectives: list(
      v.strictObject({
        operation: text,
        group: v.nullable(text),
        bytes: v.nullable(count),
        last: count,
        lateUs: number,
        boundUs: number,
        ranks: list(v.strictObject({ rank: count, beginUs: number, endUs: number, waitUs: number })),
      }),
    ),
    problems: list(
      v.strictObject({
        code: v.picklist([
          'no-rank',
          'same-file',
          'same-rank',
          'other-run',
          'missing-ranks',
          'rank-from-name',
          'too-few-ranks',
          'no-collectives',
          'mismatch',
          'not-aligned',
          'far-apart',
        ]),
        message: text,
      }),
    ),
    files: list(analysisShape),
  }),
  v.description('Several ranks of one run. Times in µs.'),
)
export type RanksJson = v.InferOutput<typeof ranksShape>

/** Named in the JSON Schema, under $defs. */
export const analysisDefinitions = { device, finding, diagnosis, file: analysisShape, ranks: ranksShape }
