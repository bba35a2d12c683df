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

// What the browser has drawn: for each chart its caption, size, number of marks, and all that is wrong.
const inside = (box, frame) =>
  box.left >= frame.left - 1 && box.right <= frame.right + 1 && box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1;
const overlap = (a, b) =>
  Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
const rgb = (color) => color.match(/[\d.]+/g).slice(0, 3).map(Number);
const luminance = (color) => {
  const [r, g, b] = rgb(color).map((c) => (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (one, other) => {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
};
const paper = getComputedStyle(document.body).backgroundColor;

return [...document.querySelectorAll('svg.chart')].map((svg) => {
  const figure = svg.closest('figure');
  const frame = figure.getBoundingClientRect();
  const box = svg.getBoundingClientRect();
  const wrong = [];
  let marks = 0;
  const widths = [];
  for (const mark of svg.querySelectorAll('.mark')) {
    const drawn = mark.getBoundingClientRect();
    const isLine = mark.tagName === 'polyline';
    marks += isLine ? mark.points.numberOfItems : 1;
    widths.push(drawn.width / box.width);
    if (!(drawn.width > 0) || !(isLine || drawn.height > 0)) wrong.push('a mark has no extent');
    if (!inside(drawn, { left: frame.left, right: frame.right, top: box.top, bottom: box.bottom })) {
      wrong.push(`a mark lies outside: ${JSON.stringify(drawn)} of ${JSON.stringify(box)}`);
    }
    const style = getComputedStyle(mark);
    const color = isLine || mark.classList.contains('bound') ? style.stroke : style.fill;
    if (contrast(color, paper) < 3) wrong.push(`a mark is hard to see: ${color} on ${paper}`);
  }
  const labels = [...svg.querySelectorAll('text')].map((text) => [text.textContent, text.getBoundingClientRect(), text]);
  labels.forEach(([text, at, element], index) => {
    if (!(at.width > 0 && at.height > 0)) wrong.push(`label '${text}' is not drawn`);
    if (!inside(at, { left: frame.left, right: frame.right, top: box.top - 2, bottom: box.bottom })) {
      wrong.push(`label '${text}' is cut off: ${JSON.stringify(at)} of ${JSON.stringify(frame)}`);
    }
    if (contrast(getComputedStyle(element).fill, paper) < 4.5) wrong.push(`label '${text}' is hard to read`);
    for (const [other, place] of labels.slice(index + 1)) {
      if (overlap(at, place)) wrong.push(`label '${text}' lies on '${other}'`);
    }
  });
  for (const name of svg.getAttribute('aria-labelledby').split(' ')) {
    if (!document.getElementById(name).textContent.trim()) wrong.push('no title or description');
  }
  return {
    caption: figure.querySelector('figcaption').textContent,
    width: box.width,
    height: box.height,
    isInPage: box.left >= 0 && box.right <= innerWidth,
    marks,
    widths,
    wrong,
  };
});
