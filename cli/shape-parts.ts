/** What the shapes of outputs are made of (analysis-shape.ts, output-shapes.ts). */
import * as v from 'valibot'

export const text = v.string()
export const number = v.number()
export const maybe = v.nullable(number)
export const whole = v.pipe(v.number(), v.integer())
export const count = v.pipe(v.number(), v.integer(), v.minValue(0))
export const list = <T extends v.GenericSchema>(each: T) => v.pipe(v.array(each), v.readonly())
