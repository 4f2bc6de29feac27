/** The recorded profiles beside all lessons, for lists of them: without the words of the lessons. */
import type { CudaProfile, CudaSide } from './lesson'

const sides = import.meta.glob<Readonly<Record<string, CudaSide>>>('./*/cuda.ts', { eager: true })

export const cudaProfiles: readonly CudaProfile[] = Object.values(sides).flatMap((exported) =>
  Object.values(exported).flatMap(({ profiles }) => profiles),
)
