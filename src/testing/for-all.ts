import fc from 'fast-check'

/**
 * Holds a property for so many values of these arbitraries: `predicate` throws, or returns false,
 * where it does not.
 */
export const forAllOf =
  (numRuns: number) =>
  <Values extends [unknown, ...unknown[]]>(...property: Parameters<typeof fc.property<Values>>): void =>
    fc.assert(fc.property<Values>(...property), { numRuns })

export const forAll = forAllOf(100)

/** The same, where the predicate is awaited. */
export const forAllAwaited =
  (numRuns = 100) =>
  <Values extends [unknown, ...unknown[]]>(
    ...property: Parameters<typeof fc.asyncProperty<Values>>
  ): Promise<void> =>
    fc.assert(fc.asyncProperty<Values>(...property), { numRuns })
