//! Times and sizes as people write them.

use std::time::Duration;

/// `10`, `10s`, `1.5s`, `500ms`, `2m` or `1h`; a bare number is seconds.
pub fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split(text)?;
    let seconds = match unit.as_str() {
        "" | "s" | "sec" => number,
        "ms" => number / 1e3,
        "m" | "min" => number * 60.0,
        "h" => number * 3600.0,
        _ => return Err(format!("`{unit}` is not a unit of time (ms, s, m, h)")),
    };
    // Longer than anyone waits, and short enough that adding it to the clock cannot overflow.
    Ok(Duration::from_secs_f64(seconds.min(1e9)))
}

/// `4G`, `512M`, `4GB`, `4GiB`, `100K` or a number of bytes; the units are powers of 1024.
pub fn bytes(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text)?;
    let factor: u64 = match unit.trim_end_matches('b').trim_end_matches('i') {
        "" => 1,
        "k" => 1 << 10,
        "m" => 1 << 20,
        "g" => 1 << 30,
        "t" => 1 << 40,
        _ => return Err(format!("`{unit}` is not a unit of size (K, M, G, T)")),
    };
    Ok((number * factor as f64) as u64)
}

fn split(text: &str) -> Result<(f64, String), String> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number = text[..end].parse().map_err(|_| "a number is missing".to_string())?;
    Ok((number, text[end..].trim().to_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        for (text, milliseconds) in [("10", 10_000), ("1.5s", 1500), ("500ms", 500), ("2m", 120_000)] {
            assert_eq!(duration(text), Ok(Duration::from_millis(milliseconds)));
        }
        for wrong in ["", "-1s", "3 weeks"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes() {
        for (text, size) in [("4G", 4 << 30), ("4GiB", 4 << 30), ("100kb", 100 << 10), ("77", 77)] {
            assert_eq!(bytes(text), Ok(size));
        }
        assert!(bytes("many").is_err());
    }
}
