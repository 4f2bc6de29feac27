import { lessonIndex } from 'virtual:lesson-index'

/** Whether a lesson has the screen 'Mend it'. */
export const hasMend = (lesson: string): boolean =>
  lessonIndex.find(({ id }) => id === lesson)?.hasMend ?? false
