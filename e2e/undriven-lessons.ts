/** Their worker starts others, one after the other, which a driven Firefox does not always get through: undriven-firefox.ts says why. */
export const UNDRIVEN_LESSONS = ['ranks', 'collectives'] as const
