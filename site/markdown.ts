/** The content of a page of the documentation: its code fences, links and headings. */

export interface Fence {
  /** The first word after the backquotes. */
  readonly language: string;
  /** The rest of the line: `run`, or `no-run: needs Docker`. */
  readonly info: string;
  readonly text: string;
  /** Of the opening backquotes, from 1. */
  readonly line: number;
}

const opening = /^ *```(\S*) *(.*)$/;
const closing = /^ *```\s*$/;

export function fencesOf(page: string): readonly Fence[] {
  const fences: Fence[] = [];
  let open: { language: string; info: string; line: number; lines: string[] } | undefined;
  for (const [place, line] of page.split('\n').entries()) {
    if (open === undefined) {
      const [, language = '', info = ''] = opening.exec(line) ?? [];
      if (opening.test(line)) open = { language, info: info.trim(), line: place + 1, lines: [] };
    } else if (closing.test(line)) {
      fences.push({ language: open.language, info: open.info, line: open.line, text: open.lines.join('\n') });
      open = undefined;
    } else open.lines.push(line);
  }
  if (open !== undefined) throw new Error(`line ${open.line}: the code is not closed`);
  return fences;
}

/** The page without code, which contains no links or headings. */
export function proseOf(page: string): string {
  const lines: string[] = [];
  let isCode = false;
  for (const line of page.split('\n')) {
    if (opening.test(line)) isCode = !isCode;
    else if (!isCode) lines.push(line);
  }
  return lines.join('\n');
}

/** Targets of links and pictures, in the order of the page. */
export function linksOf(page: string): readonly string[] {
  const prose = proseOf(page).replaceAll(/`[^`\n]*`/g, '');
  const inline = [...prose.matchAll(/\]\(([^)\s]+)\)/g)];
  const named = [...prose.matchAll(/^\[[^\]]+\]: (\S+)$/gm)];
  const pictures = [...prose.matchAll(/ src(?:set)?="([^"]+)"/g)];
  return [...inline, ...named, ...pictures].map(([, target = '']) => target);
}

/** The anchors of a page's headings, as GitHub makes them. */
export function anchorsOf(page: string): readonly string[] {
  return [...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));
}

export function anchorOf(heading: string): string {
  const text = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
  return text.replaceAll(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-');
}

export function titleOf(page: string): string {
  return /^# (.+)$/m.exec(page)?.[1] ?? '';
}
