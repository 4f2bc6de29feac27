/** Whether the page is being printed. A media query's `change` comes when the sheets are laid out already. */
import { useSyncExternalStore } from 'react'

let isPrinting = false

function follow(changed: () => void): () => void {
  const note = ({ type }: Event): void => {
    isPrinting = type === 'beforeprint'
    changed()
  }
  addEventListener('beforeprint', note)
  addEventListener('afterprint', note)
  return () => {
    removeEventListener('beforeprint', note)
    removeEventListener('afterprint', note)
  }
}

export const usePrinting = (): boolean =>
  useSyncExternalStore(
    follow,
    () => isPrinting,
    () => false,
  )
