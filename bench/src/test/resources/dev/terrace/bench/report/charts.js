/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

// What the browser has drawn: for each chart its caption, its pictures, its bars, dots or lines, and all that is wrong.
const inside = (box, frame) =>
  box.left >= frame.left - 1 && box.right <= frame.right + 1 && box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1;
const overlap = (a, b) =>
  Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
const looks = ['rgb(31, 111, 208)', 'rgb(139, 148, 158)', 'rgb(227, 179, 65)', 'rgb(209, 87, 11)', 'rgb(87, 96, 106)'];
const isMark = (shape) => {
  const style = getComputedStyle(shape);
  return style.fill !== 'none' ? looks.includes(style.fill) || style.strokeDasharray !== 'none' : looks.includes(style.stroke);
};

return [...document.querySelectorAll('figure')].map((figure) => {
  const wrong = [];
  const svgs = [...figure.querySelectorAll('svg')];
  const widths = [];
  const marks = new Set();
  for (const svg of svgs) {
    const box = svg.getBoundingClientRect();
    const frame = svg.parentElement.getBoundingClientRect();
    if (frame.left < 0 || frame.right > innerWidth) wrong.push('a picture is wider than the page');
    for (const shape of svg.querySelectorAll('rect, path, circle, polyline')) {
      const drawn = shape.getBoundingClientRect();
      if (!isMark(shape) || drawn.width < 3) continue;
      if (!inside(drawn, box)) wrong.push(`a mark lies outside: ${shape.outerHTML}`);
      const key = `${svgs.indexOf(svg)} ${Math.round(drawn.top)} ${Math.round(drawn.left)}`;
      if (!marks.has(key)) widths.push(drawn.width / box.width);
      marks.add(key);
    }
    const labels = [...svg.querySelectorAll('text')].map((text) => [text.textContent.trim(), text.getBoundingClientRect()]);
    labels.forEach(([text, at], index) => {
      if (!(at.width > 0 && at.height > 0)) wrong.push(`label '${text}' is not drawn`);
      if (!inside(at, box)) wrong.push(`label '${text}' is cut off`);
      for (const [other, place] of labels.slice(index + 1)) {
        if (overlap(at, place)) wrong.push(`label '${text}' lies on '${other}'`);
      }
    });
    if (!svg.parentElement.getAttribute('aria-label').trim()) wrong.push('no description');
  }
  return {
    caption: figure.querySelector('figcaption').textContent,
    pictures: svgs.length,
    width: svgs[0].parentElement.getBoundingClientRect().width,
    marks: marks.size,
    widths,
    wrong,
  };
});
