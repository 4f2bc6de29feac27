import { parseColour } from './colour'
import { makeTheme, type Theme } from './theme'

const matches = (query: string): boolean => matchMedia(query).matches

/**
 * Reads the theme as it is for this element now. A hidden probe resolves var(), oklch() and system
 * colours to numbers.
 */
export function readTheme(element: HTMLElement, recorded: boolean): Theme {
  const style = getComputedStyle(element)
  const probe = document.createElement('span')
  probe.style.cssText = 'position:absolute;visibility:hidden;forced-color-adjust:none'
  element.append(probe)
  const resolve = (value: string): string => {
    if (value === '') return ''
    if (parseColour(value)) return value
    probe.style.color = ''
    probe.style.color = `color-mix(in srgb, ${value} 100%, transparent 0%)`
    return probe.style.color === '' ? '' : getComputedStyle(probe).color
  }
  const theme = makeTheme({
    read: (token) => resolve(style.getPropertyValue(`--${token}`).trim()),
    system: (name) => resolve(name),
    fontFamily: style.fontFamily,
    prefersDark: matches('(prefers-color-scheme: dark)'),
    forcedColors: matches('(forced-colors: active)'),
    reducedMotion: matches('(prefers-reduced-motion: reduce)'),
    recorded,
  })
  probe.remove()
  return theme
}
