/**
 * What `list`, `model` and `grade` print with --json, as valibot schemas: types and JSON Schema as of analysis-shape.ts, versions too. What
 * `run` writes is the report of a saved run (trace/file-shape.ts).
 */
import * as v from 'valibot'
import type { Outcome } from '../src/mend/types'
import { dictionary } from '../src/base/shape'
import { metricShape, scalarShape, settingsShape, verificationShape } from '../src/trace/file-shape'
import { list, number, text } from './shape-parts'

export const LIST_SCHEMA = 'host-device-lab/experiments@1'
export const MODEL_SCHEMA = 'host-device-lab/modelled@1'
export const GRADE_SCHEMA = 'host-device-lab/grade@1'

const param = {
  name: text,
  label: text,
  help: text,
  place: v.picklist(['dial', 'more']),
  accepts: v.pipe(text, v.description('What --set takes, in words.')),
}
const options = list(v.strictObject({ value: text, label: text }))

export const listShape = v.pipe(
  v.strictObject({
    schema: v.literal(LIST_SCHEMA),
    experiments: list(
      v.strictObject({
        id: text,
        title: text,
        question: text,
        params: list(
          v.variant('type', [
            v.strictObject({
              ...param,
              type: v.literal('number'),
              default: number,
              min: number,
              max: number,
              integer: v.boolean(),
              unit: text,
              scale: v.picklist(['linear', 'log2']),
            }),
            v.strictObject({ ...param, type: v.literal('choice'), default: text, options }),
            v.strictObject({ ...param, type: v.literal('list'), default: list(text), options }),
          ]),
        ),
        presets: list(v.strictObject({ id: text, label: text, values: settingsShape })),
        metrics: v.pipe(
          list(
            v.strictObject({
              name: text,
              label: text,
              unit: metricShape.entries.unit,
              isFactor: v.exactOptional(
                v.pipe(v.boolean(), v.description('A ratio that is read as times as long, not as a share.')),
              ),
            }),
          ),
          v.description('The first is the headline.'),
        ),
      }),
    ),
  }),
  v.description('What can be run.'),
)
export type ListJson = v.InferOutput<typeof listShape>

export const modelShape = v.pipe(
  v.strictObject({
    schema: v.literal(MODEL_SCHEMA),
    origin: v.literal('modelled'),
    experiment: text,
    card: text,
    params: settingsShape,
    derived: dictionary(scalarShape),
    metrics: list(v.strictObject({ ...metricShape.entries, origin: v.literal('modelled') })),
    verification: v.pipe(
      v.nullable(v.strictObject(verificationShape.entries)),
      v.description('Null where results were not worked out.'),
    ),
  }),
  v.description('What a model says of an experiment. Nothing was measured.'),
)
export type ModelJson = v.InferOutput<typeof modelShape>

const OUTCOMES = ['yes', 'no', 'cannot-tell'] as const satisfies readonly Outcome[]

export const gradeShape = v.pipe(
  v.strictObject({
    schema: v.literal(GRADE_SCHEMA),
    passed: v.pipe(
      v.nullable(v.boolean()),
      v.description('Null where no check says no, and one cannot tell on this machine.'),
    ),
    checks: list(v.strictObject({ id: text, outcome: v.picklist(OUTCOMES), text })),
  }),
  v.description('A program as the mend of a lesson.'),
)
export type GradeJson = v.InferOutput<typeof gradeShape>
