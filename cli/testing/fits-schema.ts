/** Output held against the JSON Schema that `lab schema` prints, by a validator that shares no code with what made it. */
import { Validator, type Schema } from '@cfworker/json-schema'
import { schemaText, type SchemaName } from '../lab-schema'

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** No object takes what it does not name. */
const closed = (schema: Json): Json =>
  Array.isArray(schema)
    ? schema.map(closed)
    : typeof schema === 'object' && schema !== null
      ? {
          ...('properties' in schema ? { additionalProperties: false } : {}),
          ...Object.fromEntries(Object.entries(schema).map(([key, each]) => [key, closed(each)])),
        }
      : schema

/** What is wrong with an output, in words; none where it fits. A report may hold more than its schema names: here it may not. */
export function misfits(name: SchemaName): (output: unknown) => readonly string[] {
  const validator = new Validator(closed(JSON.parse(schemaText(name)) as Json) as Schema, '2020-12')
  return (output) =>
    validator.validate(output).errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`)
}
