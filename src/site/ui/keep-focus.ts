/**
 * The page that takes the place of index.html's own text has the same links in it: one that a visitor has gone to by keyboard
 * meanwhile keeps focus, instead of losing it with the element.
 */

const isSame = (a: Element, b: Element): boolean =>
  a.getAttribute('href') === b.getAttribute('href') && a.textContent === b.textContent

/** Until the content of `root` is replaced, once. */
export function keepFocus(root: HTMLElement): void {
  let last = document.activeElement
  const follow = () => {
    last = document.activeElement
  }
  root.addEventListener('focusin', follow)
  const observer = new MutationObserver(() => {
    observer.disconnect()
    root.removeEventListener('focusin', follow)
    const lost = last
    if (!lost || lost.isConnected || document.activeElement !== document.body) return
    const found = [...root.querySelectorAll<HTMLElement>(lost.localName)].find((each) => isSame(each, lost))
    found?.focus({ preventScroll: true })
  })
  observer.observe(root, { childList: true })
}
