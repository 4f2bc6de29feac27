/**
 * Where the lab looks at what has arrived, anew for each grading and of nothing that a program is given: one that knew the places would
 * send what is looked at, and no more.
 */
export const freshLooks = (): number => crypto.getRandomValues(new Uint32Array(1))[0] ?? 1
