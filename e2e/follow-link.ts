/** In the page: goes to an address as a reader does who clicks a link. Sent there as text. */
export function followLink(href: string): void {
  const link = document.createElement('a')
  link.href = href
  document.body.append(link)
  link.click()
  link.remove()
}
