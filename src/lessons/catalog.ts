/** All lessons, in the order of the path. The ids are URLs: they never change. */
import { asyncSubmissionLesson } from './async-submission/lesson'
import { kernelLadderLesson } from './kernel-ladder/lesson'
import type { Lesson } from './lesson'
import { overlappedUploadsLesson } from './overlapped-uploads/lesson'
import { syncStallsLesson } from './sync-stalls/lesson'
import { worthItLesson } from './worth-it/lesson'

export const lessons: readonly Lesson[] = [
  asyncSubmissionLesson,
  syncStallsLesson,
  overlappedUploadsLesson,
  worthItLesson,
  kernelLadderLesson,
]

export const findLesson = (id: string): Lesson | undefined => lessons.find((lesson) => lesson.id === id)
