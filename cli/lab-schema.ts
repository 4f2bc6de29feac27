/** `npm run lab -- schema analyze`: the JSON Schema (2020-12) of what another command prints or writes as JSON, made of the shape that its types are of. */
import { toJsonSchema, type ConversionConfig } from '@valibot/to-json-schema'
import * as v from 'valibot'
import { reportShape } from '../src/trace/file-shape'
import { analysisDefinitions, analysisShape, ranksShape } from './analysis-shape'
import { gradeShape, listShape, modelShape } from './output-shapes'

const SHAPES = {
  analyze: { shape: v.variant('schema', [analysisShape, ranksShape]), definitions: analysisDefinitions },
  run: { shape: reportShape, definitions: {} },
  grade: { shape: gradeShape, definitions: {} },
  model: { shape: modelShape, definitions: {} },
  list: { shape: listShape, definitions: {} },
} as const
export type SchemaName = keyof typeof SHAPES

/** The commands whose JSON has a schema. */
export const SCHEMAS = Object.keys(SHAPES) as readonly SchemaName[] // of all

const CONFIG: ConversionConfig = {
  target: 'draft-2020-12',
  // Of the type alone; what no JSON can break; what `each` says of a dictionary.
  ignoreActions: ['readonly', 'finite', 'raw_check'],
  overrideSchema: ({ valibotSchema }) => {
    if (!('each' in valibotSchema)) return null
    // Of base/shape.ts: no schema of valibot's own has it.
    const each = toJsonSchema(valibotSchema.each as v.GenericSchema, CONFIG)
    delete each.$schema
    return { type: 'object', additionalProperties: each }
  },
}

export function schemaText(name: SchemaName): string {
  const { shape, definitions } = SHAPES[name]
  return JSON.stringify(toJsonSchema(shape, { ...CONFIG, definitions }), null, 2)
}
