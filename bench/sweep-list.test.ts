/** The sweep changes the text of shaders/: where that text has changed, making a variant throws. */
import { describe, expect, it } from 'vitest'
import { variantsFor } from './sweep-list'
import { sweepArguments } from './sweep-arguments'
import { formatShape } from './matmul-shapes'

describe.each(sweepArguments([]).shapes.map((shape) => [formatShape(shape), shape] as const))(
  'variants of %s',
  (_, shape) => {
    const variants = variantsFor(shape, 49152, 1024)

    it('have names and texts of their own', () => {
      const texts = variants.map(({ steps }) => JSON.stringify(steps))
      expect(new Set(variants.map(({ name }) => name)).size).toBe(variants.length)
      expect(new Set(texts).size).toBe(variants.length)
    })

    it('fit a device that offers no more than it must', () => {
      const few = variantsFor(shape, 16384, 256)
      expect(few.length).toBeGreaterThan(0)
      expect(few.length).toBeLessThan(variants.length)
    })
  },
)
