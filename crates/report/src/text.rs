//! The story as text: one line for each step, or the threads side by side.

use crate::story::{End, Failure, Item, Position, Story, StoryStep};

/// Columns of the widest statement that is shown whole in a list.
const STATEMENT: usize = 44;
/// As many effects of one step are shown.
const EFFECTS: usize = 8;
/// The mark of a line on which another thread runs than on the line before.
const SWITCH: &str = ">>";

/// One line for each step: the thread, where, the statement, and what it did.  A switch to another thread is marked.
pub fn list(story: &Story) -> String {
    let steps =
        || story.items.iter().filter_map(|item| if let Item::StoryStep(step) = item { Some(step) } else { None });
    let names = short_names(story);
    let place = |step: &StoryStep| format!("{}:{}", short(&names, &step.file), step.line);
    let wide = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0);
    let thread_width = wide(&mut story.items.iter().map(|item| width(story.name(item.thread()))));
    let place_width = wide(&mut steps().map(|step| width(&place(step))));
    let statement_width = wide(&mut steps().map(|step| width(&step.statement))).min(STATEMENT);
    let mut out = String::new();
    let mut previous = None;
    for item in &story.items {
        let thread = item.thread();
        let mark = if previous == Some(thread) || previous.is_none() { "" } else { SWITCH };
        previous = Some(thread);
        let name = story.name(thread);
        let line = match item {
            Item::StoryStep(step) => format!(
                "{mark:2} {}  {}  {}  {}",
                pad(name, thread_width),
                pad(&place(step), place_width),
                pad(&cut(&step.statement, STATEMENT), statement_width),
                effects(step)
            ),
            Item::Elided { text, .. } => format!("{mark:2} {}  {text}", pad(name, thread_width)),
        };
        out += line.trim_end();
        out.push('\n');
    }
    out + &ending(story)
}

/// The threads side by side, each in a column; time goes down.  `total` is how many columns of text there are.
pub fn columns(story: &Story, total: usize) -> String {
    let names = short_names(story);
    let used: Vec<usize> =
        (0..story.threads.len()).filter(|thread| story.items.iter().any(|item| item.thread() == *thread)).collect();
    let gap = 3;
    let each = (total.saturating_sub(gap * used.len())) / used.len().max(1);
    if each < 24 {
        return format!("(too many threads for {total} columns; as a list)\n{}", list(story));
    }
    let several_files = names.len() > 1;
    let row = |cells: &dyn Fn(usize) -> String| {
        let line: Vec<String> = used.iter().map(|thread| pad(&cells(*thread), each)).collect();
        format!("{}\n", line.join(" | ").trim_end())
    };
    let mut out = row(&|thread| story.name(thread).to_string());
    let rules: Vec<String> = used.iter().map(|_| "-".repeat(each)).collect();
    out += &format!("{}\n", rules.join("-+-"));
    for item in &story.items {
        let mut lines = Vec::new();
        match item {
            Item::StoryStep(step) => {
                let place = if several_files {
                    format!("{}:{}", short(&names, &step.file), step.line)
                } else {
                    step.line.to_string()
                };
                lines.push(cut(&format!("{place}: {}", step.statement), each));
                step.effects.iter().for_each(|effect| lines.extend(wrap(&format!("    {effect}"), each)));
            }
            Item::Elided { text, .. } => lines.push(cut(text, each)),
        }
        for line in lines {
            out += &row(&|thread| if thread == item.thread() { line.clone() } else { String::new() });
        }
    }
    out + &ending(story)
}

/// What a step did; of long lists the beginning.
fn effects(step: &StoryStep) -> String {
    if step.effects.len() <= EFFECTS {
        return step.effects.join(", ");
    }
    let (shown, rest) = step.effects.split_at(EFFECTS - 2);
    format!("{}, … {} more", shown.join(", "), rest.len())
}

/// The violated assertion.
fn ending(story: &Story) -> String {
    match &story.end {
        End::Violated(failure) => format!("\n{}", failure_text(story, failure)),
        End::Diverged(why) => format!("\nthe trace does not lead to a violation: {why}\n"),
    }
}

fn failure_text(story: &Story, failure: &Failure) -> String {
    let Position { file, line, column, function, message } = &failure.at;
    let message = if message.is_empty() { "assertion fails" } else { message };
    let thread = story.name(failure.thread);
    let by = if thread == function { String::new() } else { format!(" (thread {thread})") };
    let mut out = format!("{file}:{line}:{column}: violated: {message} in {function}{by}\n");
    for call in &failure.calls {
        out += &format!("  called by {} at {}:{}\n", call.function, call.file, call.line);
    }
    out
}

/// The files of the story with the shortest names that tell them apart.
fn short_names(story: &Story) -> Vec<(String, String)> {
    let mut files: Vec<&str> = Vec::new();
    for item in &story.items {
        if let Item::StoryStep(step) = item
            && !files.contains(&step.file.as_str())
        {
            files.push(&step.file);
        }
    }
    let base = |file: &str| file.rsplit('/').next().unwrap_or(file).to_string();
    let unique = |file: &str| files.iter().filter(|other| base(other) == base(file)).count() == 1;
    files.iter().map(|file| (file.to_string(), if unique(file) { base(file) } else { file.to_string() })).collect()
}

fn short<'a>(names: &'a [(String, String)], file: &'a str) -> &'a str {
    names.iter().find(|(name, _)| name == file).map_or(file, |(_, short)| short)
}

fn width(text: &str) -> usize {
    text.chars().count()
}

fn pad(text: &str, wanted: usize) -> String {
    format!("{text}{}", " ".repeat(wanted.saturating_sub(width(text))))
}

fn cut(text: &str, wanted: usize) -> String {
    if width(text) <= wanted {
        return text.into();
    }
    text.chars().take(wanted.saturating_sub(1)).chain(['…']).collect()
}

/// Breaks a text at spaces; what does not fit even so is cut.
fn wrap(text: &str, wanted: usize) -> Vec<String> {
    let indent: String = text.chars().take_while(|c| *c == ' ').collect();
    let mut lines = Vec::new();
    let mut line = indent.clone();
    for word in text.split_whitespace() {
        if line != indent && width(&line) + 1 + width(word) > wanted {
            lines.push(cut(&line, wanted));
            line = format!("{indent}  ");
        }
        if !line.ends_with(' ') && !line.is_empty() {
            line.push(' ');
        }
        line += word;
    }
    lines.push(cut(&line, wanted));
    lines
}
