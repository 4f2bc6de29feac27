/** Pages that are drawn without the rest of the lab (make-lab.ts): the build asks for it in none of their files (vite/first-paint.ts). */
import type { Route } from '../state/url'

export const isLight = ({ page }: Route): boolean => LIGHT.includes(page)

const LIGHT: readonly Route['page'][] = ['home', 'questions', 'question', 'method', 'unknown']
