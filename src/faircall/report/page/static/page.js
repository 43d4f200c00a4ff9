"use strict";
(() => {
  const root = document.documentElement;
  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  const figures = read("figures");

  /* Theme: the charts take their colours of text and lines from the page. */
  const style = (name) => getComputedStyle(root).getPropertyValue(name).trim();
  const axisStyle = () => ({ gridcolor: style("--line"), zerolinecolor: style("--quiet"), linecolor: style("--line") });
  const layoutOf = (figure) => ({
    ...figure.layout,
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { color: style("--text"), family: getComputedStyle(document.body).fontFamily, size: 12 },
    hoverlabel: { bgcolor: style("--raised"), font: { color: style("--text") } },
    xaxis: { ...figure.layout.xaxis, ...axisStyle() },
    yaxis: { ...figure.layout.yaxis, ...axisStyle() },
    modebar: { color: style("--quiet"), activecolor: style("--text"), bgcolor: "rgba(0,0,0,0)" },
  });
  const config = { displaylogo: false, responsive: true, modeBarButtonsToRemove: ["select2d", "lasso2d"] };
  const drawn = new Set();
  const draw = (place) => {
    if (drawn.has(place) || !place.offsetParent) return;
    drawn.add(place);
    const figure = figures[place.dataset.chart];
    Plotly.newPlot(place, figure.data, layoutOf(figure), config);
  };
  const redraw = () => drawn.forEach((place) => Plotly.relayout(place, layoutOf(figures[place.dataset.chart])));
  const reserve = (place) => { place.style.minHeight = `${figures[place.dataset.chart].layout.height}px`; };
  const plots = [...document.querySelectorAll("[data-chart]")];
  plots.forEach(reserve);
  if ("IntersectionObserver" in window) {
    const watcher = new IntersectionObserver(
      (seen) => seen.forEach((one) => one.isIntersecting && draw(one.target)), { rootMargin: "400px" });
    plots.forEach((place) => watcher.observe(place));
  } else plots.forEach(draw);
  window.addEventListener("beforeprint", () => plots.forEach(draw));

  const toggle = document.getElementById("theme");
  const isDark = () => root.dataset.theme === "dark" ||
    (root.dataset.theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  const name = () => { toggle.textContent = isDark() ? "Light mode" : "Dark mode"; };
  toggle.hidden = false;
  name();
  toggle.addEventListener("click", () => { root.dataset.theme = isDark() ? "light" : "dark"; name(); redraw(); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { name(); redraw(); });

  /* Tables that sort, filter and search. Rows without a value stand last, whichever way. */
  const valueOf = (row, column) => {
    const cell = row.cells[column];
    if (cell.dataset.value !== undefined) return cell.dataset.value === "" ? null : Number(cell.dataset.value);
    return cell.textContent.trim().toLocaleLowerCase() || null;
  };
  const compare = (a, b) => typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true });
  const sortBy = (body, column, direction) => {
    const keyed = [...body.rows].map((row) => [valueOf(row, column), row]);
    keyed.sort(([a], [b]) => a === null || b === null ? (a === null) - (b === null) : direction * compare(a, b));
    body.append(...keyed.map(([, row]) => row));
  };
  document.querySelectorAll(".sortable").forEach((section) => {
    const body = section.querySelector("tbody");
    const heads = [...section.querySelectorAll("thead th")];
    heads.forEach((head, column) => head.querySelector("button").addEventListener("click", () => {
      const numeric = head.classList.contains("number") && column > 0;
      const first = numeric ? "descending" : "ascending";
      const now = head.getAttribute("aria-sort");
      const next = now === "none" ? first : now === "ascending" ? "descending" : "ascending";
      heads.forEach((one) => one.setAttribute("aria-sort", one === head ? next : "none"));
      sortBy(body, column, next === "ascending" ? 1 : -1);
    }));
    const form = section.querySelector("form");
    const count = section.querySelector("[data-count]");
    const filter = () => {
      const text = form.querySelector("[data-search]").value.trim().toLocaleLowerCase();
      const chosen = [...form.querySelectorAll("select")].filter((one) => one.value !== "");
      let shown = 0;
      [...body.rows].forEach((row) => {
        const fits = row.textContent.toLocaleLowerCase().includes(text) &&
          chosen.every((one) => {
            const cell = row.cells[one.dataset.column].textContent.trim();
            return one.hasAttribute("data-words") ? cell.split(/\s+/).includes(one.value) : cell === one.value;
          });
        row.hidden = !fits;
        shown += fits;
      });
      count.textContent = `${shown} of ${body.rows.length} rows`;
    };
    form.addEventListener("input", filter);
    form.addEventListener("submit", (event) => event.preventDefault());
  });

  /* Elements are made with text alone: nothing that a model wrote is ever read as markup. */
  const make = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
  };

  /* Shards: packed entries, in the page or in a folder beside it, unpacked when they are asked for. */
  const data = read("data");
  const waiting = new Map();
  window.faircallShard = (name, text) => waiting.get(name)?.(text);
  const packed = (name) => {
    const inside = document.getElementById(`shard-${name}`);
    if (inside) return Promise.resolve(inside.textContent);
    return new Promise((resolve, reject) => {
      waiting.set(name, resolve);
      const script = make("script", { src: `${encodeURIComponent(data.beside)}/${encodeURIComponent(name)}.js` });
      script.addEventListener("error", () => reject(new Error(`${data.beside}/${name}.js is not beside this page`)));
      document.head.append(script);
    });
  };
  const shards = new Map();
  const unpack = (name) => {
    if (!shards.has(name)) {
      shards.set(name, packed(name).then(async (text) => {
        const bytes = Uint8Array.from(atob(text.trim()), (character) => character.charCodeAt(0));
        const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
        const lines = (await new Response(stream).text()).split("\n");
        return lines.filter((line) => line !== "").map((line) => ({ line, row: JSON.parse(line) }));
      }));
      shards.get(name).catch(() => shards.delete(name));
    }
    return shards.get(name);
  };

  if (!data.runs) return;
  const form = document.getElementById("entry-filters");
  const table = document.querySelector("#entry-table tbody");
  const said = document.getElementById("entry-count");
  const PAGE = 50;
  let run = data.runs[0];
  let listed = [];
  let page = 0;
  let asked = 0;

  const differs = (row) => row.switch !== undefined;
  const kinds = {
    all: () => true,
    differ: differs,
    fail: (row) => row.outcome === "fail",
    malformed: (row) => row.state === "MALFORMED",
    void: (row) => row.outcome === "void",
  };
  const official = (row) => Object.entries(row.verdicts ?? {}).find(([profile]) => profile.startsWith("official"))?.[1].outcome;
  const categoryOf = (id) => run.entries.map((one) => one.category)
    .filter((name) => id === name || id.startsWith(`${name}_`)).sort((a, b) => b.length - a.length)[0] ??
    (run.entries.length === 1 ? run.entries[0].category : undefined);

  const showRun = (id) => {
    const found = data.runs.find((one) => one.id === id);
    if (!found) return;
    run = found;
    document.querySelectorAll("[data-run]").forEach((one) => { one.hidden = one.dataset.run !== id; });
    const chooser = document.getElementById("choose-run");
    if (chooser) { chooser.value = id; document.getElementById("entries-run").textContent = run.title; }
    const before = form.elements.category.value;
    form.elements.category.replaceChildren(make("option", { value: "" }, "all"),
      ...run.entries.map((one) => make("option", { value: one.category }, `${one.category} (${one.n})`)));
    form.elements.category.value = run.entries.some((one) => one.category === before) ? before : run.entries[0]?.category ?? "";
    plots.forEach((place) => { if (place.closest(`[data-run="${id}"]`) && place.getBoundingClientRect().top < innerHeight + 400) draw(place); });
  };

  const list = async () => {
    const turn = ++asked;
    const chosen = form.elements.category.value;
    const text = form.elements.text.value.trim().toLocaleLowerCase();
    const fits = kinds[form.elements.which.value];
    said.textContent = "reading…";
    try {
      const made = [];
      for (const one of run.entries.filter((each) => chosen === "" || each.category === chosen)) {
        const rows = await unpack(one.shard);
        if (turn !== asked) return;
        rows.forEach(({ line, row }) => {
          if (fits(row) && (text === "" || line.toLocaleLowerCase().includes(text))) made.push({ of: one, row });
        });
      }
      listed = made;
      page = 0;
      said.textContent = `${listed.length} ${listed.length === 1 ? "entry" : "entries"}`;
      show();
    } catch (error) {
      said.textContent = typeof DecompressionStream === "undefined"
        ? "This browser cannot unpack the entries; a newer one can." : `The entries cannot be read: ${error.message}`;
    }
  };

  const linkTo = (row) => `#${data.runs.length > 1 ? `${run.id}/` : ""}${encodeURIComponent(row.id)}`;
  const outcome = (value) => make("span", { class: value ?? "" }, value ?? "-");
  const show = () => {
    const pages = Math.max(1, Math.ceil(listed.length / PAGE));
    document.getElementById("entry-page").textContent = `page ${page + 1} of ${pages}`;
    document.getElementById("entry-back").disabled = page === 0;
    document.getElementById("entry-next").disabled = page + 1 >= pages;
    table.replaceChildren(...listed.slice(page * PAGE, (page + 1) * PAGE).map(({ row }) => {
      const made = make("tr", { "data-id": row.id },
        make("th", { scope: "row" }, make("a", { href: linkTo(row), "aria-expanded": "false" }, String(row.id))),
        make("td", {}, outcome(official(row))), make("td", {}, outcome(row.outcome)),
        make("td", {}, row.switch ?? "-"), make("td", {}, row.state.toLowerCase()), make("td", {}, String(row.reason)));
      if (differs(row)) made.className = "marked";
      return made;
    }));
  };

  /* One entry in full. */
  const WIDTH = 88;
  const laidOut = (value, indent) => {
    const short = JSON.stringify(value);
    if (value === null || typeof value !== "object" || short.length + indent.length <= WIDTH) return short;
    const inner = `${indent}  `;
    const parts = Array.isArray(value) ? value.map((item) => laidOut(item, inner))
      : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${laidOut(item, inner)}`);
    const [opening, closing] = Array.isArray(value) ? "[]" : "{}";
    return `${opening}\n${inner}${parts.join(`,\n${inner}`)}\n${indent}${closing}`;
  };
  const pretty = (value) => typeof value === "string" ? value : laidOut(value, "");
  const block = (value) => make("pre", { tabindex: "0" }, pretty(value));
  const markedText = (text, evidence) => {
    const points = Array.from(text);
    if (!evidence || evidence.end > points.length || points.slice(evidence.start, evidence.end).join("") !== evidence.text) {
      return [make("pre", { tabindex: "0" }, text)];
    }
    return [make("pre", { tabindex: "0" }, points.slice(0, evidence.start).join(""), make("mark", {}, evidence.text),
      points.slice(evidence.end).join(""))];
  };
  const outputOf = (row) => {
    if (!("output" in row)) {
      const evidence = row.evidence ? [make("p", {}, "The deciding stretch:"), make("pre", { tabindex: "0" }, make("mark", {}, row.evidence.text))] : [];
      return [make("p", { class: "note" }, row.state === "ERROR" && !row.verdicts ? "Nothing is stored for this entry." : "The output is not part of these verdicts."), ...evidence];
    }
    const { output, evidence } = row;
    if (typeof output === "string") return markedText(output, evidence);
    if (Array.isArray(output) && output.every((one) => typeof one === "string" || !Array.isArray(one)) && evidence) {
      return output.flatMap((part, place) => typeof part === "string"
        ? markedText(part, evidence.block === place ? evidence : null) : [block(part)]);
    }
    return [block(output)];
  };
  const sayings = (question) => question.flatMap((turn, number) => (Array.isArray(turn) ? turn : [turn]).map((message) =>
    make("div", {}, make("p", { class: "note" }, `${message.role ?? "user"}${question.length > 1 ? `, turn ${number + 1}` : ""}`),
      make("pre", { tabindex: "0" }, pretty(message.content ?? message)))));
  const term = (name, ...values) => [make("dt", {}, name), make("dd", {}, ...values)];
  const folded = (title, ...content) => make("details", {}, make("summary", {}, title), ...content);
  const verdictRows = (row) => Object.entries(row.verdicts ?? { profile: row }).map(([profile, made]) =>
    make("tr", {}, make("th", { scope: "row" }, profile), make("td", {}, outcome(made.outcome)), make("td", {}, made.state.toLowerCase()),
      make("td", {}, String(made.reason)), make("td", {}, made.path ?? "-"),
      make("td", {}, [made.message, made.official_error].filter(Boolean).join(" · ") || "-")));

  const detail = (row, question, tools) => {
    const parts = [
      make("header", {}, make("h3", {}, String(row.id)), make("span", {}, `${run.title} · `, outcome(row.outcome))),
      make("dl", {},
        ...term("state", `${row.state.toLowerCase()}, ${row.reason}`),
        ...(row.message ? term("why", row.message) : []),
        ...(row.path ? term("first difference", make("code", {}, row.path)) : []),
        ...(row.switch ? term("switch that differs", make("code", {}, row.switch)) : []),
        ...(row.filled?.length ? term("defaults filled in", make("code", {}, row.filled.join(", "))) : [])),
      make("h4", {}, "What was written"), ...outputOf(row),
    ];
    if (row.calls?.length) parts.push(make("h4", {}, "Calls as decoded"), block(row.calls));
    if (row.canonical) parts.push(make("h4", {}, "Calls as compared"), block(row.canonical));
    if (question) {
      if (question.expected !== null && question.expected !== undefined) parts.push(make("h4", {}, "Expected"), block(question.expected));
      parts.push(make("h4", {}, "Question"), ...sayings(question.question),
        folded(`${tools.length} ${tools.length === 1 ? "tool" : "tools"} offered`, ...tools.map(block)));
    }
    if (row.dialogue) parts.push(make("h4", {}, "Dialogue"), block(row.dialogue));
    parts.push(make("h4", {}, "Verdicts"), make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Verdicts, table" },
      make("table", {}, make("caption", { class: "unseen" }, "Verdicts"),
        make("thead", {}, make("tr", {}, ...["profile", "outcome", "state", "reason", "path", "message"].map((name) => make("th", { scope: "col" }, name)))),
        make("tbody", {}, ...verdictRows(row)))));
    parts.push(make("p", { class: "signature" }, make("code", {}, document.querySelector("footer .signature").textContent)));
    return make("article", { class: "entry", "aria-label": `Entry ${row.id}` }, ...parts);
  };
  const questionOf = async (of, id) => {
    if (!of.questions) return [null, []];
    const rows = (await unpack(of.questions)).map((one) => one.row);
    const sets = rows.filter((row) => "tools" in row);
    const found = rows.find((row) => row.id === id);
    return found ? [found, sets[found.set]?.tools ?? []] : [null, []];
  };
  const close = () => {
    document.querySelectorAll("#entry-table .detail").forEach((one) => one.remove());
    document.querySelectorAll('#entry-table [aria-expanded="true"]').forEach((one) => one.setAttribute("aria-expanded", "false"));
  };
  const open = async (id) => {
    let place = listed.findIndex(({ row }) => row.id === id);
    if (place < 0) {
      const category = categoryOf(id);
      if (!category) return;
      form.elements.category.value = category;
      form.elements.which.value = "all";
      form.elements.text.value = "";
      await list();
      place = listed.findIndex(({ row }) => row.id === id || String(row.id).startsWith(`${id}:`));
      if (place < 0) return;
    }
    const { of, row } = listed[place];
    if (page !== Math.floor(place / PAGE)) { page = Math.floor(place / PAGE); show(); }
    close();
    const [question, tools] = await questionOf(of, row.id);
    const line = [...table.rows].find((one) => one.dataset.id === row.id);
    if (!line) return;
    line.querySelector("a").setAttribute("aria-expanded", "true");
    line.after(make("tr", { class: "detail" }, make("td", { colspan: "6" }, detail(row, question, tools))));
    line.scrollIntoView({ block: "start" });
  };
  const follow = async () => {
    let target = "";
    try { target = decodeURIComponent(location.hash.slice(1)); } catch { return; }
    const [, named, id] = /^(?:(run-[0-9]+)(?:\/|$))?(.*)$/s.exec(target);
    const chosen = named ?? (target === "" ? data.runs[0].id : null);
    if (chosen && chosen !== run.id) { showRun(chosen); await list(); }
    if (named && !id) document.getElementById("run").scrollIntoView();
    if (id && !document.getElementById(id)) await open(id);
  };

  form.addEventListener("input", list);
  form.addEventListener("submit", (event) => event.preventDefault());
  document.getElementById("choose-run")?.addEventListener("change", (event) => { location.hash = event.target.value; });
  document.getElementById("entry-back").addEventListener("click", () => { page -= 1; show(); });
  document.getElementById("entry-next").addEventListener("click", () => { page += 1; show(); });
  table.addEventListener("click", (event) => {
    const link = event.target.closest("th a");
    if (!link || link.getAttribute("href") !== location.hash) return;
    event.preventDefault();
    if (link.getAttribute("aria-expanded") === "true") close(); else follow();
  });
  window.addEventListener("hashchange", follow);
  showRun(run.id);
  list().then(follow);
})();
