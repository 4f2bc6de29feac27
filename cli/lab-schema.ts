/** `npm run lab -- schema analyze`: the JSON Schema (2020-12) of what another command prints as JSON, made of the shape that its types are of. */
import { toJsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'
import { analysisDefinitions, analysisShape, ranksShape } from './analysis-shape'

/** The commands whose JSON has a schema. */
export const SCHEMAS = ['analyze'] as const
export type SchemaName = (typeof SCHEMAS)[number]

const SHAPES = {
  analyze: { shape: v.variant('schema', [analysisShape, ranksShape]), definitions: analysisDefinitions },
} as const satisfies Record<SchemaName, unknown>

export function schemaText(name: SchemaName): string {
  const { shape, definitions } = SHAPES[name]
  const schema = toJsonSchema(shape, {
    target: 'draft-2020-12',
    definitions,
    ignoreActions: ['readonly'], // of the type alone
  })
  return JSON.stringify(schema, null, 2)
}
