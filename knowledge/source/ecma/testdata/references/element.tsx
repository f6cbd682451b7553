import { Button, type Props } from './button'
import * as icons from './icons'

function List<T>({ items, render }: { items: T[]; render: (item: T) => any }) {
  return <ul className="list">{items.map(item => <li key={String(item)}>{render(item)}</li>)}</ul>
}
export const Page = ({ title, ...props }: Props) => (
  <>
    <Button {...props} icon={<icons.Star size={2} />}>text {title} it's {/* nothing */}</Button>
    <List<string> items={[title]} render={Button => <b>{Button}</b>} />
  </>
)
