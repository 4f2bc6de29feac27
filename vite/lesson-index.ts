/**
 * `virtual:lesson-index`: what the home page says of each lesson, taken from the lessons themselves while the site is built, so that
 * the first page does not load the words of all of them.
 */
import type { Plugin } from 'vite'
import { hasMend, readLessons } from './words-md'

const NAME = 'virtual:lesson-index'
const RESOLVED = `\0${NAME}`

export const lessonIndex = (): Plugin => ({
  name: 'lesson-index',
  resolveId: (id) => (id === NAME ? RESOLVED : null),
  load(id) {
    if (id !== RESOLVED) return null
    const index = readLessons().map((lesson) => {
      this.addWatchFile(lesson.file)
      const { kind, number, title, question, measures, minutes, mends, prediction, quiz } = lesson
      const { unit, scale } = prediction
      const head = { id: lesson.id, kind, number, title, question, measures, minutes, mends, unit, scale }
      const profiles = lesson.kind === 'profiles' ? lesson.profiles.length : 0
      return { ...head, questions: quiz.length, hasMend: hasMend(lesson.id), profiles }
    })
    return `export const lessonIndex = ${JSON.stringify(index)}`
  },
})
